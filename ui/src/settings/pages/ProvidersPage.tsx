/**
 * "Providers": the configured providers, and the form of the open one.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ProviderId, ProviderKind, ProviderView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row, Stack } from '../../kit/display/Stack';
import { useConfirmLeave } from '../../kit/overlays/unsavedGuard';
import { queryKeys } from '../../state/queries/queries';
import { LocalServerList } from '../providers/LocalServerList';
import { ModelsTable } from '../providers/models/ModelsTable';
import { DefaultModelSetting } from '../context/DefaultModelSetting';
import { ProviderForm } from '../providers/ProviderForm';
import type { TargetedSettingsPageProps } from '../useSaveSettings';

/** The id of a provider that is not saved yet. */
type NewProvider = { suffix: string };
type SelectedProvider = ProviderId | NewProvider | null;

const newProvider = (): NewProvider => ({ suffix: crypto.randomUUID().slice(0, 8) });

/** Opens at a model or a provider. */
export function ProvidersPage(props: TargetedSettingsPageProps) {
  const { settings, save, session, model, provider } = props;
  const text = useText();
  const { commands } = useBackend();
  const { data: providers } = useQuery({
    queryKey: [...queryKeys.providers, 'views'],
    queryFn: () => commands.providers(),
  });
  const { data: kinds } = useQuery({
    queryKey: ['providerKinds'],
    queryFn: () => commands.providerKinds(),
    select: (known) => known.map((kind) => namedIn(text, kind)),
  });
  // A provider from the settings file has not listed its models yet.
  useEffect(() => {
    commands.renewModels().catch(() => undefined);
  }, [commands]);
  const [open, setOpen] = useState<SelectedProvider>(() =>
    provider === null ? newProvider() : (model?.provider ?? provider ?? null),
  );
  /** A link to a provider focuses its key, until the user opens another provider. */
  const [isLed, setLed] = useState(typeof provider === 'string');
  const leave = useConfirmLeave();
  const choose = (next: SelectedProvider) => {
    leave(() => {
      setLed(false);
      setOpen(next);
    });
  };
  const view = providers?.find(({ config }) => config.id === open);
  const isFresh = typeof open === 'object' && open !== null;
  return (
    <Stack>
      <DefaultModelSetting {...{ settings, save }} />
      {providers?.length === 0 && <p>{text('settings.noProviders')}</p>}
      <ul className="Settings-list" aria-label={text('settings.page_providers')}>
        {providers?.map((provider) => (
          <ProviderRow
            key={provider.config.id}
            provider={provider}
            current={provider.config.id === open}
            onOpen={() => {
              choose(provider.config.id);
            }}
          />
        ))}
      </ul>
      <LocalServerList session={session} onAdded={choose} />
      <Row>
        <Button
          icon="add"
          onClick={() => {
            choose(newProvider());
          }}
        >
          {text('settings.addProvider')}
        </Button>
      </Row>
      {kinds && (view ?? isFresh) && (
        <ProviderForm
          key={isFresh ? open.suffix : open}
          suffix={isFresh ? open.suffix : ''}
          view={view}
          kinds={kinds}
          session={session}
          focusKey={isLed}
          onSaved={setOpen}
          onRemoved={() => {
            setOpen(null);
          }}
        />
      )}
      {view && <ModelsTable key={`models-${view.config.id}`} view={view} focusedModel={model} />}
    </Stack>
  );
}

/** The only kind whose name is translated; the others have proper names. */
const compatible = 'OpenAI-compatible';

const namedIn = (text: Translate, kind: ProviderKind): ProviderKind =>
  kind.name === compatible ? { ...kind, name: text('providers.compatible') } : kind;

type ProviderRowProps = { provider: ProviderView; current: boolean; onOpen: () => void };

function ProviderRow({ provider, current, onOpen }: ProviderRowProps) {
  return (
    <li className="Settings-choice" data-current={current || undefined}>
      <Button kind="quiet" aria-current={current || undefined} onClick={onOpen}>
        {provider.config.name}
      </Button>
      <span className="Settings-path Settings-quiet">{provider.address}</span>
    </li>
  );
}
