/**
 * One provider: where it is and how it is called. Saved with its button, because a half-typed
 * address is none.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ProviderConfig, ProviderId, ProviderKind, ProviderView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Select } from '../kit/Select';
import { Row, Stack } from '../kit/Stack';
import { Switch } from '../kit/Switch';
import { TextField } from '../kit/TextField';
import { useToast } from '../kit/Toast';
import { useUnsaved } from '../kit/unsaved';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';
import { beside, keys } from '../state/reading';
import { HeadersField } from './HeadersField';
import { KeyField } from './KeyField';
import { ProviderTest } from './ProviderTest';
import { ofProvider, useAttempt } from './saving';

type ProviderFormProps = {
  /** Makes the id of a new one. */
  suffix: string;
  /** Undefined: a new one. */
  view: ProviderView | undefined;
  kinds: readonly ProviderKind[];
  onSaved: (id: ProviderId) => void;
  onRemoved: () => void;
};

export function ProviderForm({ suffix, view, kinds, onSaved, onRemoved }: ProviderFormProps) {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useAttempt();
  const { commands } = useBackend();
  const [kindId, setKindId] = useState(view?.config.kind ?? kinds[0]?.id ?? '');
  const kind = kinds.find(({ id }) => id === kindId);
  const [name, setName] = useState(view?.config.name ?? kind?.name ?? '');
  const [baseUrl, setBaseUrl] = useState(view?.config.baseUrl ?? '');
  const [exactUrl, setExactUrl] = useState(view?.config.exactUrl ?? false);
  const [headers, setHeaders] = useState(view?.config.headers ?? {});
  const [key, setKey] = useState('');
  const config: ProviderConfig = {
    ...view?.config,
    id: view?.config.id ?? `${kindId}-${suffix}`,
    kind: kindId,
    name: name.trim() === '' ? (kind?.name ?? kindId) : name.trim(),
    baseUrl: baseUrl.trim() === '' ? null : baseUrl.trim(),
    exactUrl,
    headers,
  };
  const of = ofProvider(config.id);
  const kept = view?.config ?? { kind: kindId, name: kind?.name ?? kindId };
  useUnsaved(key !== '' || !saysTheSame(config, kept));
  const refresh = () => client.invalidateQueries({ queryKey: keys.providers });
  const save = async () => {
    await commands.saveProvider(config);
    if (key !== '') await commands.setKey(config.id, key);
    setKey('');
    onSaved(config.id);
    // What it offers is listed as soon as it can be asked: there is nothing to choose before.
    const isOpen = kind?.keyless === true || typeof kind?.keyFound === 'string';
    if (key !== '' || (view === undefined && isOpen)) await list();
    else toast({ words: text('settings.providerSaved', { name: config.name }), of });
    await refresh();
  };
  const list = async () => {
    const { name } = config;
    try {
      const count = await commands.fetchModels(config.id);
      toast({ words: text('settings.providerListed', { name, count }), of });
    } catch (thrown) {
      const why = faultWords(text, asFault(thrown));
      toast({ words: text('settings.providerUnlisted', { name, why }), of, failed: true });
    }
  };
  const remove = async (old: ProviderConfig) => {
    await commands.removeProvider(old.id);
    onRemoved();
    await refresh();
    toast({
      words: text('settings.providerRemoved', { name: old.name }),
      undo: () => {
        attempt(commands.saveProvider(old).then(refresh));
      },
    });
  };
  return (
    <form
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
          value={kindId}
          options={kinds.map(({ id, name: label }) => ({ value: id, label }))}
          onChange={(chosen) => {
            setKindId(chosen);
            if (name === '' || name === kind?.name) {
              setName(kinds.find(({ id }) => id === chosen)?.name ?? '');
            }
          }}
        />
        <TextField label={text('settings.name')} value={name} onChange={setName} />
        <TextField
          label={text('settings.baseUrl')}
          value={baseUrl}
          onChange={setBaseUrl}
          placeholder={kind?.baseUrl ?? ''}
        />
        <Switch
          label={text('settings.exactUrl')}
          hint={text('settings.exactUrlHint')}
          checked={exactUrl}
          onChange={setExactUrl}
        />
        <Address config={config} />
        <KeyField view={view} kind={kind} value={key} onChange={setKey} />
        <HeadersField value={headers} onChange={setHeaders} />
        <ProviderTest
          config={config}
          apiKey={key}
          suggested={view?.models[0]?.model.model ?? kind?.defaultModel ?? ''}
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

type Said = Pick<ProviderConfig, 'kind' | 'name' | 'baseUrl' | 'exactUrl' | 'headers'>;

/** Whether two say the same of what stands in the form; the models of a provider do not. */
const saysTheSame = (one: Said, other: Said) =>
  JSON.stringify(inForm(one)) === JSON.stringify(inForm(other));

const inForm = ({ kind, name, baseUrl = null, exactUrl = false, headers = {} }: Said) => [
  kind,
  name,
  baseUrl,
  exactUrl,
  Object.entries(headers),
];

function Address({ config }: { config: ProviderConfig }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: address, isError } = useQuery({
    queryKey: ['address', config.kind, config.baseUrl, config.exactUrl],
    queryFn: () => commands.resolveAddress(config),
    gcTime: 10_000,
    ...beside,
  });
  return (
    <p className="Settings-path" aria-live="polite">
      {isError
        ? text('settings.noAddress')
        : address !== undefined && text('settings.address', { address })}
    </p>
  );
}
