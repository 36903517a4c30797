/**
 * Replaces "Send" while a reply runs. It stops the reply, as Escape does.
 */
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { useSessionActions } from '../../state/turn/useSessionActions';

export function StopButton({ session }: { session: SessionId }) {
  const text = useText();
  const actions = useSessionActions(session);
  const onStop = () => {
    void actions.stop();
  };
  useShortcut('Escape', text('composer.stopReply'), onStop);
  return (
    <Button
      icon="stop"
      brief={text('composer.stop')}
      keys="Escape"
      onClick={({ detail }) => {
        // The second click of a double click on "Send" does not stop the reply.
        if (detail < 2) onStop();
      }}
    />
  );
}
