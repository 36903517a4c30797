/**
 * A message or a summary being edited in its place. What was written stays in the box until it is stored.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { useFocusWhileOpen } from '../kit/focus';
import { sends } from '../kit/sending';
import { ofInputMethod } from '../kit/shortcuts';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { useSettings } from '../state/reading';

type EditBoxProps = {
  text: string;
  save?: string;
  /** Takes the box away once the words are stored; rejects with why they are not. */
  onSave: (text: string) => Promise<void>;
  onCancel: () => void;
};

export function EditBox({ text: before, save: saveWords, onSave, onCancel }: EditBoxProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const chosen = useSettings().data?.settings.keyboard.send ?? 'enter';
  // What is saved and not sent has many lines: Enter breaks one.
  const sendKey = saveWords === undefined ? chosen : 'modEnter';
  const [words, setWords] = useState(before);
  const [saving, setSaving] = useState(false);
  const box = useFocusWhileOpen<HTMLTextAreaElement>();
  const empty = words.trim() === '';
  const save = async () => {
    if (empty || saving) return;
    setSaving(true);
    await onSave(words).finally(() => {
      setSaving(false);
    });
  };
  return (
    <form
      className="EditBox"
      onSubmit={(event) => {
        event.preventDefault();
        attempt(save());
      }}
    >
      <TextArea
        label={text('transcript.editing')}
        labelHidden
        value={words}
        onChange={setWords}
        rows={Math.min(16, Math.max(4, words.split('\n').length + 1))}
        ref={box}
        onKeyDown={(event) => {
          if (ofInputMethod(event.nativeEvent)) return;
          if (sends(sendKey, event)) attempt(save());
          // What was changed is not thrown away by a key that is pressed in passing.
          else if (event.key !== 'Escape') return;
          else if (words === before) onCancel();
          event.preventDefault();
        }}
      />
      <div className="EditBox-actions">
        <Button onClick={onCancel}>{text('kit.cancel')}</Button>
        <Button kind="primary" submit disabled={empty || saving}>
          {saveWords ?? text('transcript.resend')}
        </Button>
      </div>
    </form>
  );
}
