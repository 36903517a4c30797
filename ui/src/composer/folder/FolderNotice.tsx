/**
 * Said where the folder of a session has gone since it was chosen, or leads elsewhere: its tools are not
 * there, which neither the person nor the model could guess.
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
  const attempt = useReportError(useToast());
  const fault = useSessionFolderError(view);
  if (!fault) return null;
  const ways = <FolderActions view={view} browseWords={text('folder.another')} attempt={attempt} />;
  return (
    <Banner kind="warning" actions={ways}>
      {text('folder.lost', { reason: errorText(text, fault) })}
    </Banner>
  );
}
