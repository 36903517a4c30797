/**
 * A message or a summary being edited in its place.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { useFocusWhileOpen } from '../kit/focus';
import { ofInputMethod } from '../kit/shortcuts';
import { TextArea } from '../kit/TextArea';

type EditBoxProps = { text: string; save?: string; onDone: (text: string | null) => void };

export function EditBox({ text: before, save, onDone }: EditBoxProps) {
  const text = useText();
  const [words, setWords] = useState(before);
  const box = useFocusWhileOpen<HTMLTextAreaElement>();
  return (
    <form
      className="EditBox"
      onSubmit={(event) => {
        event.preventDefault();
        if (words.trim() !== '') onDone(words);
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
          if (words === before) onDone(null);
        }}
      />
      <div className="EditBox-actions">
        <Button
          onClick={() => {
            onDone(null);
          }}
        >
          {text('kit.cancel')}
        </Button>
        <Button kind="primary" submit disabled={words.trim() === ''}>
          {save ?? text('transcript.resend')}
        </Button>
      </div>
    </form>
  );
}
