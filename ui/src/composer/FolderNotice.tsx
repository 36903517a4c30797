/**
 * Said where the folder of a session has gone since it was chosen: the tools are there and reach
 * nothing, which neither the person nor the model could guess.
 */
import { useText } from '../i18n';
import type { SessionView } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { faultWords } from '../state/faults';
import { useFolder, useFolderFault } from './folder';

export function FolderNotice({ view }: { view: SessionView }) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { choose, browse } = useFolder(view);
  const fault = useFolderFault(view);
  if (!fault) return null;
  return (
    <Banner
      kind="warning"
      actions={
        <>
          <Button
            onClick={() => {
              attempt(browse());
            }}
          >
            {text('folder.another')}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              attempt(choose(null));
            }}
          >
            {text('folder.remove')}
          </Button>
        </>
      }
    >
      {text('folder.lost', { reason: faultWords(text, fault) })}
    </Banner>
  );
}
