/**
 * The box that marks a session, there while any is marked.
 */
import { useLayoutEffect, useRef } from 'react';
import './Sidebar.css';

type SelectBoxProps = {
  label: string;
  checked: boolean;
  /** `upTo`: with the Shift key. */
  onCheck: (upTo: boolean) => void;
};

export function SelectBox({ label, checked, onCheck }: SelectBoxProps) {
  const box = useRef<HTMLInputElement>(null);
  // Where it goes with the focus, because no session is marked any more, its session has that.
  useLayoutEffect(() => {
    const it = box.current;
    return () => {
      if (it && document.activeElement === it) it.parentElement?.querySelector('a')?.focus();
    };
  }, []);
  return (
    <input
      ref={box}
      type="checkbox"
      className="Sidebar-check"
      aria-label={label}
      checked={checked}
      onChange={({ nativeEvent }) => {
        onCheck(nativeEvent instanceof MouseEvent && nativeEvent.shiftKey);
      }}
    />
  );
}
