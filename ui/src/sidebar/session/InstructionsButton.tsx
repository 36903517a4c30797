/**
 * The button in the session's header that opens its instructions. A dot shows that there are some.
 */
import { useText } from '../../i18n';
import type { SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';

type InstructionsButtonProps = { view: SessionView; onOpen: () => void };

export function InstructionsButton({ view, onOpen }: InstructionsButtonProps) {
  const text = useText();
  const isSet = (view.session.overrides.instructions ?? null) !== null;
  const label = isSet ? text('threads.instructionsSet') : undefined;
  return (
    <Button
      kind="quiet"
      icon="book"
      brief={text('threads.instructions')}
      aria-label={label}
      onClick={onOpen}
    >
      {isSet && <span className="ThreadMenu-dot" aria-hidden="true" />}
    </Button>
  );
}
