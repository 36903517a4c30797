/**
 * A line that opens to more and stays as it was left while its row comes and goes.
 */
import { use, useSyncExternalStore, type ReactNode } from 'react';
import { Disclosure } from '../kit/Disclosure';
import { FoldsContext } from './folds';

type FoldProps = {
  /** Its own in the thread, whatever message it is of. */
  line: string;
  label: ReactNode;
  children: ReactNode;
};

export function Fold({ line, label, children }: FoldProps) {
  const folds = use(FoldsContext);
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
