/**
 * "Send"; while a reply runs "Stop", and beside it "Send next" if the draft is not empty.
 */
import { useText } from '../../i18n';
import type { SendKey, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { StopButton } from './StopButton';

type SendButtonsProps = {
  session: SessionId;
  running: boolean;
  isEmpty: boolean;
  /** There is nothing to send: the button is not highlighted. */
  isIdle: boolean;
  sendKey: SendKey;
  onSend: () => void;
};

export function SendButtons(props: SendButtonsProps) {
  const { session, running, isEmpty, isIdle, sendKey, onSend } = props;
  const text = useText();
  // "Send" and "Stop" replace each other: a double click must not hit both.
  const sendOnce = ({ detail }: { detail: number }) => {
    if (detail < 2) onSend();
  };
  const keys = sendKey === 'enter' ? 'Enter' : 'Mod+Enter';
  const sendProps = { icon: 'send', keys, onClick: sendOnce } as const;
  if (!running) {
    return (
      <Button {...sendProps} kind={isIdle ? 'plain' : 'primary'} brief={text('composer.send')} />
    );
  }
  return (
    <>
      {!isEmpty && <Button {...sendProps} brief={text('waiting.sendNext')} />}
      <StopButton session={session} />
    </>
  );
}
