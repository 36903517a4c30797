/**
 * A title being written: Enter keeps it, Escape leaves it as it was.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { TextField } from '../kit/TextField';

type RenameProps = { title: string; onDone: (title: string | null) => void };

/** The person asked to write here: the focus goes there once. */
const focus = (field: HTMLInputElement | null) => {
  field?.focus();
};

export function Rename({ title, onDone }: RenameProps) {
  const text = useText();
  const [name, setName] = useState(title);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onDone(name);
      }}
    >
      <TextField
        label={text('threads.title')}
        labelHidden
        value={name}
        onChange={setName}
        ref={focus}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(null);
        }}
        onBlur={() => {
          onDone(name === title ? null : name);
        }}
      />
    </form>
  );
}
