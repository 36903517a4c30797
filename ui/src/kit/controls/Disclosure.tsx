/**
 * A line that opens to more. What is inside is made only once it is open.
 */
import { useId, useState, type ReactNode } from 'react';
import { Icon } from './Icon';
import './Disclosure.css';

type DisclosureProps = {
  label: ReactNode;
  /** Open from the start. */
  initiallyOpen?: boolean;
  /** Whether it is, where somebody else keeps that. */
  open?: boolean;
  /** Told whether the person has opened it or closed it. */
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
