/**
 * The checkbox that selects a session. It is shown while any session is selected.
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
  const checkbox = useRef<HTMLInputElement>(null);
  // When it unmounts with the focus, the link of its session gets the focus.
  useLayoutEffect(() => {
    const element = checkbox.current;
    return () => {
      if (element && document.activeElement === element) {
        element.parentElement?.querySelector('a')?.focus();
      }
    };
  }, []);
  return (
    <input
      ref={checkbox}
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
