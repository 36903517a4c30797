/**
 * A disclosure that keeps its state while its row unmounts and mounts again.
 */
import { use, useSyncExternalStore, type ReactNode } from 'react';
import { Disclosure } from '../../kit/controls/Disclosure';
import { DisclosureStateContext } from './disclosureState';

type PersistentDisclosureProps = {
  /** Unique in the thread. */
  line: string;
  label: ReactNode;
  children: ReactNode;
};

export function PersistentDisclosure({ line, label, children }: PersistentDisclosureProps) {
  const folds = use(DisclosureStateContext);
  const open = useSyncExternalStore(folds.watch, () => folds.isOpen(line));
  return (
    <Disclosure
      label={label}
      open={open}
      onOpen={(opened) => {
        folds.set(line, opened);
      }}
    >
      {children}
    </Disclosure>
  );
}
