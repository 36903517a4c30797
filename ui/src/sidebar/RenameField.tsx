/**
 * A title being written: Enter keeps it, Escape leaves it as it was.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useText } from '../i18n';
import { isComposing } from '../kit/layers/shortcuts';
import { TextField } from '../kit/fields/TextField';

type RenameFieldProps = {
  /** Null: it has none yet. */
  title: string | null;
  /** What it is shown as meanwhile. */
  shown: string;
  /** Null: it stays as it is. */
  onDone: (title: string | null) => void;
};

/** The person asked to write here: the focus goes there once. */
const focus = (field: HTMLInputElement | null) => {
  field?.focus();
};

export function RenameField({ title, shown, onDone }: RenameFieldProps) {
  const text = useText();
  // What it is called meanwhile by another is not written over by who changed nothing.
  const [before] = useState(title ?? '');
  const [name, setName] = useState(before);
  const isDone = useRef(false);
  const end = (kept: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(kept);
  };
  const done = () => {
    end(name === before ? null : name);
  };
  // The list may go away with it, where the window becomes narrow.
  const leave = useEffectEvent(() => {
    if (name !== before) done();
  });
  const form = useRef<HTMLFormElement>(null);
  // The line stays and is a link again: the focus goes there, unless the person has moved on.
  useEffect(() => {
    const line = form.current?.parentElement;
    return () => {
      leave();
      if (document.activeElement === document.body) line?.querySelector('a')?.focus();
    };
  }, []);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        done();
      }}
    >
      <TextField
        label={text('threads.title')}
        labelHidden
        placeholder={shown}
        value={name}
        onChange={setName}
        ref={focus}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          end(null);
        }}
        onBlur={() => {
          done();
        }}
      />
    </form>
  );
}
