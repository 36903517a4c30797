/**
 * A reminder being written: its words, and where it holds.
 */
import { useText } from '../i18n';
import type { Reminder, Scope, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { RadioGroup } from '../kit/RadioGroup';
import { ofInputMethod } from '../kit/shortcuts';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useWords } from './unsaved';

type ReminderFormProps = {
  sessionId: SessionId;
  /** The one that is changed; none: a new one. */
  reminder?: Reminder;
  onSave: (content: string, scope: Scope) => Promise<unknown>;
  onClose: () => void;
};

/** The person asked to write here: the focus goes there once. */
const focus = (box: HTMLTextAreaElement | null) => {
  box?.focus();
};

export function ReminderForm({ sessionId, reminder, onSave, onClose }: ReminderFormProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const before = reminder?.content ?? '';
  const { content, where, write, forget } = useWords(sessionId, reminder?.id ?? 'new', {
    content: before,
    where: reminder?.scope.type ?? 'session',
  });
  const empty = content.trim() === '';
  const leave = () => {
    forget();
    onClose();
  };
  return (
    // Escape leaves it from each of its fields.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="ReminderForm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || ofInputMethod(event.nativeEvent)) return;
        event.preventDefault();
        // What was written is not thrown away by a key that is pressed in passing.
        if (content === before) leave();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const scope: Scope = where === 'session' ? { type: where, sessionId } : { type: where };
        if (!empty) attempt(onSave(content, scope).then(leave));
      }}
    >
      <TextArea
        label={text('reminders.words')}
        value={content}
        onChange={(words) => {
          write({ content: words });
        }}
        rows={5}
        ref={focus}
      />
      <RadioGroup
        label={text('reminders.scope')}
        value={where}
        choices={(['session', 'everywhere'] as const).map((value) => ({
          value,
          label: text(`reminders.${value}`),
        }))}
        onChange={(scope) => {
          write({ where: scope });
        }}
      />
      <div className="Reminder-acts">
        <Button onClick={leave}>{text('kit.cancel')}</Button>
        <Button kind="primary" submit disabled={empty}>
          {text('reminders.save')}
        </Button>
      </div>
    </form>
  );
}
