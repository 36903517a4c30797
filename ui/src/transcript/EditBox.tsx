/**
 * A message or a summary being edited in its place.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { TextArea } from '../kit/TextArea';

type EditBoxProps = { text: string; save?: string; onDone: (text: string | null) => void };

/** The person asked to write here: the focus goes there once. */
const focus = (box: HTMLTextAreaElement | null) => {
  box?.focus();
};

export function EditBox({ text: before, save, onDone }: EditBoxProps) {
  const text = useText();
  const [words, setWords] = useState(before);
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
        rows={4}
        ref={focus}
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
