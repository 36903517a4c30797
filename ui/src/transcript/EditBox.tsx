/**
 * A message or a summary being edited in its place. What was written stays in the box until it is stored.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { useFocusWhileOpen } from '../kit/focus';
import { ofInputMethod } from '../kit/shortcuts';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';

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
          if (event.key !== 'Escape' || ofInputMethod(event.nativeEvent)) return;
          event.preventDefault();
          // What was changed is not thrown away by a key that is pressed in passing.
          if (words === before) onCancel();
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
