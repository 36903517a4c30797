/**
 * Replaces a transcript that could not be loaded: the error and the actions.
 */
import { useText } from '../../i18n';
import type { Error as AppError } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { errorText } from '../../state/text/errorText';

type LoadErrorProps = {
  fault: AppError;
  /** The scroll target is not in the thread: the end of the thread may be readable. */
  astray: boolean;
  onAgain: () => void;
  onEnd: () => void;
};

export function LoadError({ fault, astray, onAgain, onEnd }: LoadErrorProps) {
  const text = useText();
  const way = astray ? (
    <Button onClick={onEnd}>{text('finding.toEnd')}</Button>
  ) : (
    <Button onClick={onAgain}>{text('kit.tryAgain')}</Button>
  );
  return (
    <Banner kind="danger" actions={way}>
      {errorText(text, fault)}
    </Banner>
  );
}
