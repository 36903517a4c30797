/**
 * A reply that could not be stored: it exists in memory only. It is stored as soon as that is possible;
 * until then the user can copy or save it.
 */
import { useText } from '../../i18n';
import type { Error as AppError, Message } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { useToast } from '../../kit/notifications/Toast';
import { errorText } from '../../state/text/errorText';
import { useSaveUnstored } from '../../state/turn/useSaveUnstored';
import { useCopyMessage } from '../state/useCopyMessage';
import { hasText } from '../state/messageText';

export function UnstoredReply({ message, fault }: { message: Message; fault: AppError }) {
  const text = useText();
  const copy = useCopyMessage();
  const save = useSaveUnstored(useToast());
  return (
    <Banner
      kind="danger"
      actions={
        hasText(message) && (
          <>
            <CopyButton worded label={text('transcript.copy')} copy={() => copy(message)} />
            <Button icon="download" onClick={save}>
              {text('transcript.saveUnstored')}
            </Button>
          </>
        )
      }
    >
      <p>{text('transcript.unstored')}</p>
      <p>{errorText(text, fault)}</p>
    </Banner>
  );
}
