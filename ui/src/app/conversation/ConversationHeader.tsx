/**
 * The header of the open session: its threads, and the buttons for its instructions and reminders.
 */
import { useText } from '../../i18n';
import type { SessionView, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { InstructionsButton } from '../../sidebar/session/InstructionsButton';
import { ThreadMenu } from '../../sidebar/session/ThreadMenu';

type ConversationHeaderProps = {
  view: SessionView;
  threadId: ThreadId;
  remindersOpen: boolean;
  onThread: (thread: ThreadId) => void;
  onNewThread: () => void;
  onInstructions: () => void;
  onReminders: () => void;
};

export function ConversationHeader(props: ConversationHeaderProps) {
  const text = useText();
  return (
    <ThreadMenu
      view={props.view}
      shown={props.threadId}
      onShow={props.onThread}
      onNew={props.onNewThread}
    >
      <InstructionsButton view={props.view} onOpen={props.onInstructions} />
      <Button
        kind="quiet"
        icon="note"
        brief={text('reminders.reminders')}
        aria-expanded={props.remindersOpen}
        onClick={props.onReminders}
      />
    </ThreadMenu>
  );
}
