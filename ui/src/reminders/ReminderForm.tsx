/**
 * A reminder being written: its words, and where it holds.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import type { Reminder, Scope, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { RadioGroup } from '../kit/RadioGroup';
import { TextArea } from '../kit/TextArea';

type ReminderFormProps = {
  sessionId: SessionId;
  /** The one that is changed; none: a new one. */
  reminder?: Reminder;
  onSave: (content: string, scope: Scope) => void;
  onCancel: () => void;
};

/** The person asked to write here: the focus goes there once. */
const focus = (box: HTMLTextAreaElement | null) => {
  box?.focus();
};

export function ReminderForm({ sessionId, reminder, onSave, onCancel }: ReminderFormProps) {
  const text = useText();
  const [content, setContent] = useState(reminder?.content ?? '');
  const [where, setWhere] = useState<Scope['type']>(reminder?.scope.type ?? 'session');
  const empty = content.trim() === '';
  return (
    <form
      className="ReminderForm"
      onSubmit={(event) => {
        event.preventDefault();
        const scope: Scope = where === 'session' ? { type: where, sessionId } : { type: where };
        if (!empty) onSave(content, scope);
      }}
    >
      <TextArea
        label={text('reminders.words')}
        value={content}
        onChange={setContent}
        rows={5}
        ref={focus}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          event.preventDefault();
          onCancel();
        }}
      />
      <RadioGroup
        label={text('reminders.scope')}
        value={where}
        choices={(['session', 'everywhere'] as const).map((value) => ({
          value,
          label: text(`reminders.${value}`),
        }))}
        onChange={setWhere}
      />
      <div className="Reminder-acts">
        <Button onClick={onCancel}>{text('kit.cancel')}</Button>
        <Button kind="primary" submit disabled={empty}>
          {text('reminders.save')}
        </Button>
      </div>
    </form>
  );
}
