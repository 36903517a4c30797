/**
 * Tabs: the names of the pages stand beside the shown page, in a narrow app window above it.
 */
import { Tabs as Base } from '@base-ui/react/tabs';
import { useEffect, useRef, type ReactNode } from 'react';
import { useMediaQuery } from '../hooks/useMediaQuery';
import './Tabs.css';

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly { id: Id; label: string; content: ReactNode }[];
  current: Id;
  onChange: (id: Id) => void;
};

/** As in Tabs.css: the names then stand in a row. */
const narrow = '(max-width: 720px)';

export function Tabs<Id extends string>({ label, tabs, current, onChange }: TabsProps<Id>) {
  const isNarrow = useMediaQuery(narrow);
  const list = useRef<HTMLDivElement>(null);
  // In a narrow app window a page may be open whose name is beyond the edge.
  useEffect(() => {
    list.current
      ?.querySelector('[aria-selected="true"]')
      ?.scrollIntoView({ inline: 'center', block: 'nearest' });
  }, [current, isNarrow]);
  return (
    <Base.Root
      className="Tabs"
      orientation={isNarrow ? 'horizontal' : 'vertical'}
      value={current}
      onValueChange={(id: Id) => {
        onChange(id);
      }}
    >
      <Base.List ref={list} className="Tabs-list" aria-label={label} activateOnFocus>
        {tabs.map((tab) => (
          <Base.Tab key={tab.id} className="Tabs-tab" value={tab.id}>
            {tab.label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map((tab) => (
        <Base.Panel key={tab.id} className="Tabs-panel" value={tab.id}>
          {tab.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
