/**
 * A model: its numbers, where each came from, and the person's own values.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useId, useRef, useState } from 'react';
import { useFormats, useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type {
  ModelChange,
  ModelView,
  ModelOverride,
  ProviderView,
  SourcedValue,
} from '../../ipc/bindings';
import { IconButton } from '../../kit/controls/IconButton';
import { Stack } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { assumedWindow } from '../../state/models/modelRef';
import { queryKeys } from '../../state/queries/queries';
import { EffortSelect } from './EffortSelect';
import { ExtraBodyField } from './ExtraBodyField';
import { ModelLimitFields } from './ModelLimitFields';
import { PriceFields } from './PriceFields';
import { NumberField } from '../fields/NumberField';
import { useReportErrorToast } from '../useSaveSettings';

const columns = [
  ['window', 'settings.window'],
  ['maxOutput', 'settings.maxOutput'],
] as const;

const sourceWords = (
  text: Translate,
  number: SourcedValue<number> | null | undefined,
  unknown: string,
) => (number ? text(`context.from_${number.source}`) : unknown);

type ModelRowProps = {
  model: ModelView;
  view: ProviderView;
  /** Its context window is what the person came for. */
  asked: boolean;
};

export function ModelRow({ model, view, asked }: ModelRowProps) {
  const text = useText();
  const formats = useFormats();
  const fields = useRef<HTMLTableRowElement>(null);
  // Once the dialog around it stands, which takes the focus itself.
  useEffect(() => {
    if (asked) fields.current?.querySelector('input')?.focus();
  }, [asked]);
  const limitsId = useId();
  /** Folded again, it keeps what was typed there and is not saved. */
  const [more, setMore] = useState<'unseen' | 'open' | 'folded'>('unseen');
  const open = more === 'open';
  const client = useQueryClient();
  const toast = useToast();
  const attempt = useReportErrorToast();
  const { commands } = useBackend();
  const { model: ref, spec, name } = model;
  const own = view.config.models?.find((other) => other.id === ref.model);
  const limit = model.limit ?? null;
  const unknown = {
    window:
      limit === null
        ? text('settings.windowAssumed', { tokens: formats.exact(assumedWindow) })
        : text('context.unknown'),
    maxOutput: text('settings.maxOutputUnknown'),
  };
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.providers });
  const change = (one: ModelChange) => {
    attempt(commands.changeModel(ref, one).then(refresh));
  };
  const forget = async (old: ModelOverride) => {
    await commands.removeModel(ref);
    await refresh();
    toast({
      words: text('settings.modelForgotten', { model: ref.model }),
      undo: () => {
        attempt(commands.addModel(ref.provider, old).then(refresh));
      },
    });
  };
  return (
    <>
      <tr ref={fields}>
        <th scope="row">
          {name}
          {name !== ref.model && <div className="Settings-path Settings-quiet">{ref.model}</div>}
        </th>
        {columns.map(([what, label]) => (
          <td key={what}>
            <NumberField
              label={text(label)}
              labelHidden
              hint={sourceWords(text, spec[what], unknown[what])}
              value={spec[what]?.value ?? null}
              min={1}
              optional
              onSave={(value) => {
                change({ type: what, value });
              }}
            />
          </td>
        ))}
        <td>
          {spec.reasoning && (
            <EffortSelect
              value={own?.effort ?? 'default'}
              instead={model.effortInstead ?? null}
              onChange={(value) => {
                change({ type: 'effort', value });
              }}
            />
          )}
        </td>
        <td>
          <IconButton
            label={text('settings.modelLimits', { model: ref.model })}
            icon={open ? 'chevron-down' : 'chevron-right'}
            aria-expanded={open}
            aria-controls={more === 'unseen' ? undefined : limitsId}
            onClick={() => {
              setMore(open ? 'folded' : 'open');
            }}
          />
          {spec.window?.source === 'learned' && (
            <IconButton
              label={text('settings.forgetWindow', { model: ref.model })}
              icon="refresh"
              onClick={() => {
                attempt(commands.forgetWindow(ref).then(refresh));
              }}
            />
          )}
          {own && (
            <IconButton
              label={text('settings.forgetModel', { model: ref.model })}
              icon="trash"
              onClick={() => {
                attempt(forget(own));
              }}
            />
          )}
        </td>
      </tr>
      {more !== 'unseen' && (
        <tr id={limitsId} hidden={!open}>
          <td colSpan={columns.length + 3}>
            <Stack>
              <ModelLimitFields
                own={own?.limits ?? {}}
                follows={model.follows}
                known={limit !== null}
                onChange={change}
              />
              <PriceFields
                own={own?.prices ?? {}}
                known={model.prices ?? null}
                onSave={(value) => {
                  change({ type: 'prices', value });
                }}
              />
              <ExtraBodyField
                value={own?.fields ?? {}}
                onSave={(value) => {
                  change({ type: 'fields', value });
                }}
              />
            </Stack>
          </td>
        </tr>
      )}
    </>
  );
}
