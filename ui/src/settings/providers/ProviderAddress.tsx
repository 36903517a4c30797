/**
 * Where a provider is: the address as it is typed, and the one that will be called.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ProviderConfig, ProviderKind } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Switch } from '../../kit/fields/Switch';
import { TextField } from '../../kit/fields/TextField';
import { optional } from '../../state/queries/queries';

type ProviderAddressProps = {
  config: ProviderConfig;
  kinds: readonly ProviderKind[];
  typed: string;
  /** It could not be saved as it is. */
  refused: boolean;
  onTyped: (typed: string) => void;
  onExact: (exact: boolean) => void;
  onKind: (kind: string) => void;
};

export function ProviderAddress(props: ProviderAddressProps) {
  const { config, kinds, typed, refused, onTyped, onExact, onKind } = props;
  const text = useText();
  const own = kinds.find(({ id }) => id === config.kind)?.baseUrl ?? null;
  const other = kindForUrl(kinds, typed, own);
  const isMissing = typed.trim() === '' && own === null;
  return (
    <>
      <TextField
        name="baseUrl"
        label={text('settings.baseUrl')}
        hint={text(own === null ? 'providers.addressAsked' : 'providers.addressOwn')}
        error={
          refused ? text(isMissing ? 'providers.addressMissing' : 'settings.noAddress') : undefined
        }
        value={typed}
        onChange={onTyped}
        placeholder={own ?? ''}
      />
      {other && (
        <p>
          {text('providers.addressOf', { name: other.name })}{' '}
          <Button
            onClick={() => {
              onKind(other.id);
            }}
          >
            {text('providers.useKind', { name: other.name })}
          </Button>
        </p>
      )}
      <Switch
        label={text('settings.exactUrl')}
        hint={text('settings.exactUrlHint')}
        checked={config.exactUrl ?? false}
        onChange={onExact}
      />
      {!isMissing && !refused && <ResolvedUrl config={config} />}
    </>
  );
}

function ResolvedUrl({ config }: { config: ProviderConfig }) {
  const text = useText();
  const { commands } = useBackend();
  const { data: address, isError } = useQuery({
    queryKey: ['address', config.kind, config.baseUrl, config.exactUrl],
    queryFn: () => commands.resolveAddress(config),
    gcTime: 10_000,
    ...optional,
  });
  return (
    <p className="Settings-path" aria-live="polite">
      {isError
        ? text('settings.noAddress')
        : address !== undefined && text('settings.address', { address })}
    </p>
  );
}

/** The kind whose usual place this is, where it is not that of the one that is chosen. */
function kindForUrl(kinds: readonly ProviderKind[], typed: string, own: string | null) {
  const place = hostOf(typed);
  if (place === null || (own !== null && hostOf(own) === place)) return undefined;
  return kinds.find(({ baseUrl }) => baseUrl !== null && hostOf(baseUrl) === place);
}

/** Host and port; null while it is no address. */
function hostOf(address: string): string | null {
  const whole = address.includes('://') ? address.trim() : `http://${address.trim()}`;
  if (!URL.canParse(whole)) return null;
  return new URL(whole).host.replace(/^localhost(?=:|$)/, '127.0.0.1');
}
