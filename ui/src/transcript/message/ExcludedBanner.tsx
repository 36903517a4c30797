/**
 * The banner above a message that is excluded from the context, with the button that includes it.
 */
import { useText } from '../../i18n';
import type { Message } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Icon } from '../../kit/controls/Icon';
import { useSetInclusion } from '../state/useSetInclusion';

type ExcludedBannerProps = {
  message: Message;
  /** A summary that covers the message may still have its content. */
  covered: boolean;
  id: string;
  readOnly: boolean;
};

export function ExcludedBanner({ message, covered, id, readOnly }: ExcludedBannerProps) {
  const text = useText();
  const include = useSetInclusion(message.id);
  return (
    <div className="Message-leftOut">
      <Icon name="eye-off" />
      <span id={id}>{text(covered ? 'transcript.leftOutCovered' : 'transcript.leftOut')}</span>
      {!readOnly && (
        <Button
          kind="quiet"
          onClick={() => {
            include('usual');
          }}
        >
          {text('transcript.takeIn')}
        </Button>
      )}
    </div>
  );
}
