/**
 * The field that renames a session in the sidebar. Enter and blur save, Escape cancels.
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { useText } from '../i18n';
import { isComposing } from '../kit/keyboard/shortcuts';
import { TextField } from '../kit/fields/TextField';

type RenameFieldProps = {
  /** null: the session has no title yet. */
  title: string | null;
  /** The name that is shown without a title. */
  shown: string;
  /** null: the title stays as it is. */
  onDone: (title: string | null) => void;
};

const focus = (field: HTMLInputElement | null) => {
  field?.focus();
};

export function RenameField({ title, shown, onDone }: RenameFieldProps) {
  const text = useText();
  // A title that changes meanwhile is not overwritten unless the user has typed.
  const [initial] = useState(title ?? '');
  const [name, setName] = useState(initial);
  const isDone = useRef(false);
  const finish = (result: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    onDone(result);
  };
  const save = () => {
    finish(name === initial ? null : name);
  };
  // The sidebar may unmount, as when the app window becomes narrow.
  const onUnmount = useEffectEvent(() => {
    if (name !== initial) save();
  });
  const form = useRef<HTMLFormElement>(null);
  // The row becomes a link again and gets the focus, unless the user has moved it elsewhere.
  useEffect(() => {
    const row = form.current?.parentElement;
    return () => {
      onUnmount();
      if (document.activeElement === document.body) row?.querySelector('a')?.focus();
    };
  }, []);
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
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
          finish(null);
        }}
        onBlur={() => {
          save();
        }}
      />
    </form>
  );
}
