/**
 * A disclosure that keeps its state while its row unmounts and mounts again.
 */
import { use, type ReactNode } from 'react';
import { Disclosure } from '../../kit/controls/Disclosure';
import { useStore } from '../../kit/hooks/createStore';
import { DisclosureStateContext } from './disclosureState';

type PersistentDisclosureProps = {
  /** Unique in the thread. */
  line: string;
  label: ReactNode;
  children: ReactNode;
};

export function PersistentDisclosure({ line, label, children }: PersistentDisclosureProps) {
  const disclosures = use(DisclosureStateContext);
  const open = useStore(disclosures.openKeys, (keys) => keys.has(line));
  return (
    <Disclosure
      label={label}
      open={open}
      onOpen={(opened) => {
        disclosures.set(line, opened);
      }}
    >
      {children}
    </Disclosure>
  );
}
