/**
 * The form of a reminder: its text and its scope. The model and Skein edit reminders too: the form reports
 * a change of its reminder and keeps the user's input.
 */
import { useText } from '../i18n';
import type { Reminder, ReminderScope, SessionId } from '../ipc/bindings';
import { Banner } from '../kit/display/Banner';
import { Button } from '../kit/controls/Button';
import { useFocusWhileOpen } from '../kit/a11y/focus';
import { RadioGroup } from '../kit/fields/RadioGroup';
import { isComposing } from '../kit/keyboard/shortcuts';
import { TextArea } from '../kit/fields/TextArea';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { useReminderDraft, type ReminderDraftKey } from './reminderDrafts';

type ReminderFormProps = {
  sessionId: SessionId;
  written: ReminderDraftKey;
  /** The reminder in its current state; undefined: a new one, or it was deleted meanwhile. */
  reminder?: Reminder;
  onSave: (content: string, scope: ReminderScope) => Promise<unknown>;
  onClose: () => void;
};

export function ReminderForm(props: ReminderFormProps) {
  const { sessionId, written, reminder, onSave, onClose } = props;
  const text = useText();
  const reportError = useReportError(useToast());
  const box = useFocusWhileOpen<HTMLTextAreaElement>();
  const before = reminder?.content ?? '';
  const { content, where, began, write, forget } = useReminderDraft(sessionId, written, {
    content: before,
    where: reminder?.scope.type ?? 'session',
  });
  const empty = content.trim() === '';
  const leave = () => {
    forget();
    onClose();
  };
  return (
    // Escape in any field closes the form.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <form
      className="ReminderForm"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        // Escape does not discard unsaved input.
        if (content === before) leave();
      }}
      onSubmit={(event) => {
        event.preventDefault();
        const scope: ReminderScope =
          where === 'session' ? { type: where, sessionId } : { type: where };
        if (!empty) reportError(onSave(content, scope).then(leave));
      }}
    >
      {written !== 'new' && !reminder && <Banner kind="warning">{text('reminders.gone')}</Banner>}
      {reminder && began !== before && (
        <Banner kind="warning">
          {text('reminders.changed')}
          <p className="Reminder-words" dir="auto">
            {before}
          </p>
        </Banner>
      )}
      <TextArea
        label={text('reminders.words')}
        value={content}
        onChange={(words) => {
          write({ content: words });
        }}
        rows={5}
        ref={box}
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
