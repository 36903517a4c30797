/**
 * In the place of a conversation that could not be read: why, and the way on.
 */
import { useText } from '../i18n';
import type { Error as Fault } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { faultWords } from '../state/faults';

type UnreadableProps = {
  fault: Fault;
  /** A message was asked for that is not in the conversation: its end may be. */
  astray: boolean;
  onAgain: () => void;
  onEnd: () => void;
};

export function Unreadable({ fault, astray, onAgain, onEnd }: UnreadableProps) {
  const text = useText();
  const way = astray ? (
    <Button onClick={onEnd}>{text('finding.toEnd')}</Button>
  ) : (
    <Button onClick={onAgain}>{text('kit.tryAgain')}</Button>
  );
  return (
    <Banner kind="danger" actions={way}>
      {faultWords(text, fault)}
    </Banner>
  );
}
