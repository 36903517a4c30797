/**
 * Said where the folder of a session has gone since it was chosen, or leads elsewhere: its tools are not
 * there, which neither the person nor the model could guess.
 */
import { useText } from '../i18n';
import type { SessionView } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { faultWords } from '../state/faults';
import { useFolderFault } from './folder';
import { FolderWays } from './FolderButton';

export function FolderNotice({ view }: { view: SessionView }) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const fault = useFolderFault(view);
  if (!fault) return null;
  const ways = <FolderWays view={view} browseWords={text('folder.another')} attempt={attempt} />;
  return (
    <Banner kind="warning" actions={ways}>
      {text('folder.lost', { reason: faultWords(text, fault) })}
    </Banner>
  );
}
