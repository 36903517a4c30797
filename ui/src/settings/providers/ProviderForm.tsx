/**
 * One provider: where it is and how it is called. Saved with its button, because a half-typed
 * address is none.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type {
  ProviderConfig,
  ProviderId,
  ProviderKind,
  ProviderView,
  SessionId,
} from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Select } from '../../kit/fields/Select';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { errorText, toAppError } from '../../state/text/errorText';
import { queryKeys } from '../../state/queries/queries';
import { providerToastId } from '../../state/text/toastIds';
import { HeadersField } from './HeadersField';
import { ApiKeyField } from './ApiKeyField';
import { ProviderAddress } from './ProviderAddress';
import { ProviderTest } from './ProviderTest';
import { useReportErrorToast } from '../useSaveSettings';
import { useTryProvider } from './useTryProvider';

type ProviderFormProps = {
  /** Makes the id of a new one. */
  suffix: string;
  /** Undefined: a new one. */
  view: ProviderView | undefined;
  kinds: readonly ProviderKind[];
  /** The session behind the settings. */
  session: SessionId | null;
  /** Its key is what it was opened for. */
  atKey: boolean;
  onSaved: (id: ProviderId) => void;
  onRemoved: () => void;
};

export function ProviderForm(props: ProviderFormProps) {
  const { suffix, view, kinds, session, atKey, onSaved, onRemoved } = props;
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useReportErrorToast();
  const here = useTryProvider(session);
  const { commands } = useBackend();
  const [kindId, setKindId] = useState(view?.config.kind ?? kinds[0]?.id ?? '');
  const kind = kinds.find(({ id }) => id === kindId);
  const [name, setName] = useState(view?.config.name ?? kind?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(view?.config.baseUrl ?? '');
  const [exactUrl, setExactUrl] = useState(view?.config.exactUrl ?? false);
  const [headers, setHeaders] = useState(view?.config.headers ?? {});
  const [key, setKey] = useState('');
  /** An address that could not be saved. */
  const [refused, setRefused] = useState<string | null>(null);
  const form = useRef<HTMLFormElement>(null);
  // What was asked for stands below everything else.
  const isNew = view === undefined;
  const asked = isNew ? '[role="combobox"]' : atKey ? '[name="apiKey"]' : null;
  useEffect(() => {
    if (asked !== null) form.current?.querySelector<HTMLElement>(asked)?.focus();
  }, [asked]);
  const config: ProviderConfig = {
    ...view?.config,
    id: view?.config.id ?? `${kindId}-${suffix}`,
    kind: kindId,
    name: name.trim() === '' ? (kind?.name ?? kindId) : name.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    exactUrl,
    headers,
  };
  const of = providerToastId(config.id);
  const kept = view?.config ?? { kind: kindId, name: kind?.name ?? kindId };
  useUnsavedForm(key !== '' || !hasSameFields(config, kept));
  const chooseKind = (chosen: string) => {
    setKindId(chosen);
    if (name === '' || name === kind?.name) {
      setName(kinds.find(({ id }) => id === chosen)?.name ?? '');
    }
  };
  const refresh = () => client.invalidateQueries({ queryKey: queryKeys.providers });
  const save = async () => {
    try {
      await commands.saveProvider(config);
    } catch (thrown) {
      if (toAppError(thrown).kind !== 'invalid') throw thrown;
      setRefused(baseUrl);
      form.current?.querySelector<HTMLElement>('[name="baseUrl"]')?.focus();
      return;
    }
    const typed = key.trim();
    if (typed !== '') await commands.setKey(config.id, typed);
    setKey('');
    onSaved(config.id);
    const canAsk = typed !== '' || hasKey(config, kind, view);
    // What it offers is listed as soon as it can be asked: there is nothing to choose before.
    if (canAsk && (typed !== '' || isNew || !hasSameEndpoint(config, view.config))) await list();
    else {
      const words = canAsk ? 'settings.providerSaved' : 'providers.savedWithoutKey';
      toast({ words: text(words, { name: config.name }), of });
    }
    await refresh();
  };
  const list = async () => {
    const { name } = config;
    try {
      const count = await commands.fetchModels(config.id);
      const words = text('settings.providerListed', { name, count });
      toast({ words, of, ...(await here(config.id)) });
    } catch (thrown) {
      const why = errorText(text, toAppError(thrown));
      toast({ words: text('settings.providerUnlisted', { name, why }), of, failed: true });
    }
  };
  const remove = async (old: ProviderConfig) => {
    await commands.removeProvider(old.id);
    onRemoved();
    await refresh();
    toast({
      words: text('settings.providerRemoved', { name: old.name }),
      of,
      undo: () => {
        attempt(commands.saveProvider(old).then(refresh));
      },
    });
  };
  return (
    <form
      ref={form}
      className="Settings-card"
      aria-label={config.name}
      onSubmit={(event) => {
        event.preventDefault();
        attempt(save());
      }}
    >
      <Stack>
        <Select
          label={text('settings.type')}
          hint={text('providers.typeHint')}
          value={kindId}
          options={kinds.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={chooseKind}
        />
        <TextField label={text('settings.name')} value={name} onChange={setName} />
        <ProviderAddress
          config={config}
          kinds={kinds}
          typed={baseUrl}
          refused={refused === baseUrl}
          onTyped={setBaseUrl}
          onExact={setExactUrl}
          onKind={chooseKind}
        />
        <ApiKeyField view={view} kind={kind} value={key} onChange={setKey} />
        <HeadersField value={headers} onChange={setHeaders} />
        <ProviderTest
          config={config}
          apiKey={key}
          suggested={view?.models[0]?.model.model ?? kind?.defaultModel ?? ''}
          kinds={kinds}
          onKind={chooseKind}
        />
        <Row>
          <Button kind="primary" submit>
            {text('settings.save')}
          </Button>
          {view && (
            <Button
              icon="trash"
              onClick={() => {
                attempt(remove(view.config));
              }}
            >
              {text('settings.remove')}
            </Button>
          )}
        </Row>
      </Stack>
    </form>
  );
}

type ProviderFields = Pick<ProviderConfig, 'kind' | 'name' | 'baseUrl' | 'exactUrl' | 'headers'>;

/** Whether two say the same of what stands in the form; the models of a provider do not. */
const hasSameFields = (one: ProviderFields, other: ProviderFields) =>
  JSON.stringify(comparableFields(one)) === JSON.stringify(comparableFields(other));

/** Whether the one is asked as the other is, and so lists the same. */
const hasSameEndpoint = (one: ProviderFields, other: ProviderFields) =>
  hasSameFields({ ...one, name: '' }, { ...other, name: '' });

/** Whether it may be asked without a key being typed: it needs none, or has one elsewhere. */
const hasKey = (
  { headers = {} }: ProviderConfig,
  kind: ProviderKind | undefined,
  view: ProviderView | undefined,
) =>
  kind?.keyless === true ||
  typeof kind?.keyFound === 'string' ||
  (view !== undefined && view.key.type !== 'nowhere') ||
  Object.keys(headers).length > 0;

const comparableFields = ({
  kind,
  name,
  baseUrl = null,
  exactUrl = false,
  headers = {},
}: ProviderFields) => [kind, name, baseUrl, exactUrl, Object.entries(headers)];
