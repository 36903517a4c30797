/**
 * "Send"; while a reply arrives "Stop", and beside it "Send next" for what is written meanwhile.
 */
import { useText } from '../../i18n';
import type { SendKey, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { StopButton } from './StopButton';

type SendButtonsProps = {
  session: SessionId;
  running: boolean;
  /** Nothing is written. */
  isEmpty: boolean;
  /** There is nothing to send: the button invites to nothing, but stays one. */
  isIdle: boolean;
  sendKey: SendKey;
  onSend: () => void;
};

export function SendButtons(props: SendButtonsProps) {
  const { session, running, isEmpty, isIdle, sendKey, onSend } = props;
  const text = useText();
  // The second click of two finds "Stop" under the pointer, and the second on that, this.
  const sendOnce = ({ detail }: { detail: number }) => {
    if (detail < 2) onSend();
  };
  const keys = sendKey === 'enter' ? 'Enter' : 'Mod+Enter';
  const sending = { icon: 'send', keys, onClick: sendOnce } as const;
  if (!running) {
    return (
      <Button {...sending} kind={isIdle ? 'plain' : 'primary'} brief={text('composer.send')} />
    );
  }
  return (
    <>
      {!isEmpty && <Button {...sending} brief={text('waiting.sendNext')} />}
      <StopButton session={session} />
    </>
  );
}
