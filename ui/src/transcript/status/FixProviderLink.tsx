/**
 * The link to the settings that fix an error of a reply: the provider's key or account, or another model.
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
  /** The model of the failed reply; undefined: that of the session. */
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

/** Models of all providers: another one may list the missing model. */
function OtherModelSelect({ refused, sessionId }: { refused: string; sessionId: SessionId }) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
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
        if (chosen) reportError(commands.setModel(sessionId, chosen));
      }}
    />
  );
}
