/**
 * In the place of "Send" while a reply runs: stops it, as Escape does.
 */
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { useShortcut } from '../kit/shortcuts';

export function StopButton({ onStop }: { onStop: () => void }) {
  const text = useText();
  useShortcut('Escape', text('composer.stopReply'), onStop);
  return (
    <Button icon="stop" onClick={onStop}>
      <span data-wide>{text('composer.stop')}</span>
    </Button>
  );
}
