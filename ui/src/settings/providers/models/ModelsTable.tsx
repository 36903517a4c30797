/**
 * The models of a provider, a row each. Models are listed from the provider, added by hand and filtered.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useId, useRef, useState } from 'react';
import { useText } from '../../../i18n';
import { useBackend } from '../../../ipc';
import type { ModelRef, ModelView, ProviderView } from '../../../ipc/bindings';
import { Button } from '../../../kit/controls/Button';
import { Row, Stack } from '../../../kit/display/Stack';
import { Table } from '../../../kit/display/Table';
import { TextField } from '../../../kit/fields/TextField';
import { useToast } from '../../../kit/notifications/Toast';
import { useUnsavedForm } from '../../../kit/overlays/unsavedGuard';
import { isSameModel } from '../../../state/models/modelRef';
import { queryKeys } from '../../../state/queries/queries';
import { providerToastId } from '../../../state/text/toastIds';
import { ModelRow } from './ModelRow';
import { useReportErrorToast } from '../../useSaveSettings';

/** A longer list gets a filter. */
const filterFromModels = 12;
const maxShownModels = 60;

type ModelsTableProps = {
  view: ProviderView;
  /** The settings were opened to set this model's context window: its row comes first. */
  focusedModel?: ModelRef | undefined;
};

export function ModelsTable({ view, focusedModel }: ModelsTableProps) {
  const text = useText();
  const [filter, setFilter] = useState('');
  const lowerFilter = filter.trim().toLowerCase();
  const isFocused = ({ model }: ModelView) =>
    focusedModel !== undefined && isSameModel(model, focusedModel);
  const matches = view.models.filter((view) =>
    [view.name, view.model.model].some((name) => name.toLowerCase().includes(lowerFilter)),
  );
  const sorted = matches.toSorted(
    (one, other) => Number(isFocused(other)) - Number(isFocused(one)),
  );
  const shown = sorted.slice(0, maxShownModels);
  return (
    <Stack>
      <AddModel view={view} />
      {view.models.length > filterFromModels && (
        <TextField label={text('kit.filter')} value={filter} onChange={setFilter} />
      )}
      <Table label={text('settings.models')}>
        <thead>
          <tr>
            <th scope="col">{text('settings.model')}</th>
            <th scope="col">{text('settings.window')}</th>
            <th scope="col">{text('settings.maxOutput')}</th>
            <th scope="col">{text('composer.effort')}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {shown.map((model) => (
            <ModelRow
              key={model.model.model}
              model={model}
              view={view}
              focused={isFocused(model)}
            />
          ))}
        </tbody>
      </Table>
      {lowerFilter !== '' && matches.length === 0 && (
        <p role="status">{text('kit.nothingFound', { query: filter.trim() })}</p>
      )}
      {matches.length > shown.length && (
        <p>{text('settings.moreModels', { more: matches.length - shown.length })}</p>
      )}
    </Stack>
  );
}

function AddModel({ view }: { view: ProviderView }) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  const form = useRef<HTMLFormElement>(null);
  const hintId = useId();
  const [id, setId] = useState('');
  useUnsavedForm(id.trim() !== '');
  const provider = view.config.id;
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.providers });
  const add = async () => {
    const model = id.trim();
    if (model === '') {
      form.current?.querySelector('input')?.focus();
      return;
    }
    await commands.addModel(provider, { id: model });
    setId('');
    await refresh();
  };
  const fetch = async () => {
    const count = await commands.fetchModels(provider);
    toast({ words: text('settings.fetched', { count }), of: providerToastId(provider) });
    await refresh();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        reportError(add());
      }}
    >
      <Stack>
        <TextField
          label={text('settings.modelId')}
          hint={text('settings.modelIdHint')}
          value={id}
          onChange={setId}
        />
        <Row>
          <Button icon="add" submit>
            {text('settings.addModel')}
          </Button>
          <Button
            icon="refresh"
            aria-describedby={hintId}
            onClick={() => {
              reportError(fetch());
            }}
          >
            {text('settings.fetchModels')}
          </Button>
        </Row>
        <div className="Field-hint" id={hintId}>
          {text('settings.fetchModelsHint')}
        </div>
      </Stack>
    </form>
  );
}
