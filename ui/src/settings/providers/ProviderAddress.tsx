/**
 * The address of a provider: the text that the user types, and the URL that Skein will call.
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
  /** Rust rejected the typed address. */
  invalid: boolean;
  onTyped: (typed: string) => void;
  onExact: (exact: boolean) => void;
  onKind: (kind: string) => void;
};

export function ProviderAddress(props: ProviderAddressProps) {
  const { config, kinds, typed, invalid, onTyped, onExact, onKind } = props;
  const text = useText();
  const defaultUrl = kinds.find(({ id }) => id === config.kind)?.baseUrl ?? null;
  const other = kindForUrl(kinds, typed, defaultUrl);
  const isMissing = typed.trim() === '' && defaultUrl === null;
  return (
    <>
      <TextField
        name="baseUrl"
        label={text('settings.baseUrl')}
        hint={text(defaultUrl === null ? 'providers.addressRequired' : 'providers.addressOptional')}
        error={
          invalid ? text(isMissing ? 'providers.addressMissing' : 'settings.noAddress') : undefined
        }
        value={typed}
        onChange={onTyped}
        placeholder={defaultUrl ?? ''}
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
      {!isMissing && !invalid && <ResolvedUrl config={config} />}
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

/** The kind whose default host was typed; undefined: none, or the chosen one. */
function kindForUrl(kinds: readonly ProviderKind[], typed: string, defaultUrl: string | null) {
  const host = hostOf(typed);
  if (host === null || (defaultUrl !== null && hostOf(defaultUrl) === host)) return undefined;
  return kinds.find(({ baseUrl }) => baseUrl !== null && hostOf(baseUrl) === host);
}

/** Host and port; null: not a URL. */
function hostOf(address: string): string | null {
  const url = address.includes('://') ? address.trim() : `http://${address.trim()}`;
  if (!URL.canParse(url)) return null;
  return new URL(url).host.replace(/^localhost(?=:|$)/, '127.0.0.1');
}
