/**
 * A warning when the session's folder no longer exists or leads elsewhere: its tools are then disabled, which
 * neither the user nor the model could guess.
 */
import { useText } from '../../i18n';
import type { SessionView } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { errorText } from '../../state/text/errorText';
import { useSessionFolderError } from './useSessionFolder';
import { FolderActions } from './FolderButton';

export function FolderNotice({ view }: { view: SessionView }) {
  const text = useText();
  const reportError = useReportError(useToast());
  const error = useSessionFolderError(view);
  if (!error) return null;
  const actions = (
    <FolderActions view={view} browseLabel={text('folder.another')} run={reportError} />
  );
  return (
    <Banner kind="warning" actions={actions}>
      {text('folder.lost', { reason: errorText(text, error) })}
    </Banner>
  );
}
