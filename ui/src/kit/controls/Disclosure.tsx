/**
 * A line that expands. Its content is rendered only while it is open.
 */
import { useId, useState, type ReactNode } from 'react';
import { Icon } from './Icon';
import './Disclosure.css';

type DisclosureProps = {
  label: ReactNode;
  initiallyOpen?: boolean;
  /** For a controlled disclosure. */
  open?: boolean;
  /** Called when the user opens or closes it. */
  onOpen?: (open: boolean) => void;
  children: ReactNode;
};

export function Disclosure(props: DisclosureProps) {
  const { label, initiallyOpen = false, onOpen, children } = props;
  const id = useId();
  const [own, setOwn] = useState(initiallyOpen);
  const { open = own } = props;
  return (
    <div className="Disclosure">
      <button
        type="button"
        className="Disclosure-button"
        aria-expanded={open}
        aria-controls={open ? id : undefined}
        onClick={() => {
          setOwn(!open);
          onOpen?.(!open);
        }}
      >
        <Icon name="chevron-right" />
        {label}
      </button>
      {open && (
        <div className="Disclosure-content" id={id}>
          {children}
        </div>
      )}
    </div>
  );
}
