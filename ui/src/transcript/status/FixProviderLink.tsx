/**
 * The way to where that is mended which stands in an answer's way: a key or an account at the providers, a
 * model that is not offered right here.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Error as AppError, ProviderId, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Select } from '../../kit/fields/Select';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useModelOptions } from '../../state/models/useModelOptions';
import { useSession } from '../../state/queries/queries';

type FixProviderLinkProps = {
  fault: AppError;
  sessionId: SessionId;
  /** Whose answer it was; undefined: that of the session. */
  provider?: ProviderId | undefined;
  onProvider: (provider: ProviderId) => void;
};

export function FixProviderLink({ fault, sessionId, provider, onProvider }: FixProviderLinkProps) {
  const text = useText();
  const { data: view } = useSession(sessionId);
  const at = provider ?? view?.model.provider;
  if (fault.kind === 'unknownModel') {
    return <OtherModelSelect refused={fault.model} sessionId={sessionId} />;
  }
  if (fault.kind !== 'noKey' && fault.kind !== 'unauthorized' && fault.kind !== 'spent')
    return null;
  if (at === undefined) return null;
  return (
    <Button
      kind="quiet"
      onClick={() => {
        onProvider(at);
      }}
    >
      {text('providers.toProviders')}
    </Button>
  );
}

/** Of every provider: another may offer the one that was meant. */
function OtherModelSelect({ refused, sessionId }: { refused: string; sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const attempt = useReportError(useToast());
  const { options, first, modelOf } = useModelOptions(null);
  const isOther = (key: string) => modelOf(key)?.model !== refused;
  return (
    <Select
      label={text('providers.otherModel')}
      labelHidden
      quiet
      value={null}
      placeholder={text('providers.otherModel')}
      options={options.filter(({ value }) => isOther(value))}
      first={{ ...first, values: first.values.filter(isOther) }}
      onChange={(key) => {
        const chosen = modelOf(key);
        if (chosen) attempt(commands.setModel(sessionId, chosen));
      }}
    />
  );
}
