/**
 * A line that opens to more and stays as it was left while its row comes and goes.
 */
import { use, useSyncExternalStore, type ReactNode } from 'react';
import { Disclosure } from '../../kit/controls/Disclosure';
import { DisclosureStateContext } from './disclosureState';

type PersistentDisclosureProps = {
  /** Its own in the thread, whatever message it is of. */
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
