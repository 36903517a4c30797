/**
 * "Providers": those that are configured, and the one that is being looked at.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { ProviderId, ProviderKind, ProviderView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Row, Stack } from '../kit/Stack';
import { useLeaving } from '../kit/unsaved';
import { keys } from '../state/reading';
import { LocalServers } from './LocalServers';
import { ModelsTable } from './ModelsTable';
import { NewSessionsModel } from './NewSessionsModel';
import { ProviderForm } from './ProviderForm';
import type { PlacedPageProps } from './saving';

/** The id of one that is not saved yet, whatever its kind will be. */
type Fresh = { suffix: string };
type Open = ProviderId | Fresh | null;

const fresh = (): Fresh => ({ suffix: crypto.randomUUID().slice(0, 8) });

/** Opens at a model or a provider, where one is asked for. */
export function ProvidersPage(props: PlacedPageProps) {
  const { settings, save, session, model, provider } = props;
  const text = useText();
  const { commands } = useBackend();
  const { data: providers } = useQuery({
    queryKey: [...keys.providers, 'views'],
    queryFn: () => commands.providers(),
  });
  const { data: kinds } = useQuery({
    queryKey: ['providerKinds'],
    queryFn: () => commands.providerKinds(),
    select: (known) => known.map((kind) => namedIn(text, kind)),
  });
  // Of a provider that came with the settings file nothing was listed yet.
  useEffect(() => {
    commands.renewModels().catch(() => undefined);
  }, [commands]);
  const [open, setOpen] = useState<Open>(() =>
    provider === null ? fresh() : (model?.provider ?? provider ?? null),
  );
  /** Who is led to a provider is led to its key, until they go elsewhere themselves. */
  const [isLed, setLed] = useState(typeof provider === 'string');
  const leave = useLeaving();
  const choose = (next: Open) => {
    leave(() => {
      setLed(false);
      setOpen(next);
    });
  };
  const view = providers?.find(({ config }) => config.id === open);
  const isFresh = typeof open === 'object' && open !== null;
  return (
    <Stack>
      <NewSessionsModel {...{ settings, save }} />
      {providers?.length === 0 && <p>{text('settings.noProviders')}</p>}
      <ul className="Settings-list" aria-label={text('settings.page_providers')}>
        {providers?.map((provider) => (
          <ProviderLine
            key={provider.config.id}
            provider={provider}
            current={provider.config.id === open}
            onOpen={() => {
              choose(provider.config.id);
            }}
          />
        ))}
      </ul>
      <LocalServers session={session} onAdded={choose} />
      <Row>
        <Button
          icon="add"
          onClick={() => {
            choose(fresh());
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
          atKey={isLed}
          onSaved={setOpen}
          onRemoved={() => {
            setOpen(null);
          }}
        />
      )}
      {view && <ModelsTable key={`models-${view.config.id}`} view={view} asked={model} />}
    </Stack>
  );
}

/** What Rust calls the one kind that has no name of its own but words in each language. */
const compatible = 'OpenAI-compatible';

const namedIn = (text: Text, kind: ProviderKind): ProviderKind =>
  kind.name === compatible ? { ...kind, name: text('providers.compatible') } : kind;

type ProviderLineProps = { provider: ProviderView; current: boolean; onOpen: () => void };

function ProviderLine({ provider, current, onOpen }: ProviderLineProps) {
  return (
    <li className="Settings-choice" data-current={current || undefined}>
      <Button kind="quiet" aria-current={current || undefined} onClick={onOpen}>
        {provider.config.name}
      </Button>
      <span className="Settings-path Settings-quiet">{provider.address}</span>
    </li>
  );
}
