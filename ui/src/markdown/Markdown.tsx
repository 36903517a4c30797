/**
 * A model's text, shown safely and while it still arrives. Nothing in the text runs; links, copying
 * and pictures go through the actions that the window provides.
 */
import { memo, use, useEffect, useRef, useState } from 'react';
import { blockOf } from './Blocks';
import { ReachContext } from './reach';
import { Reader, type Group, type Section } from './reader';
import './Markdown.css';

type MarkdownProps = {
  /** Whole, or in the portions in which it arrives: then only what is new is looked at. */
  text: string | readonly string[];
  /** More of it is coming. */
  streaming?: boolean;
};

export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const [reader] = useState(() => new Reader());
  const groups = reader.read(typeof text === 'string' ? [text] : text, !streaming);
  const grows = streaming ? groups.length - 1 : -1;
  return (
    <div className="Markdown">
      {groups.map((group, at) => (
        <GroupView key={at} group={group} mayLeave={groups.length > 1 && at !== grows} />
      ))}
    </div>
  );
});

type GroupViewProps = {
  group: Group;
  /** Beyond reach only its height stays. */
  mayLeave: boolean;
};

// Only ever appended to, so that the place of a group or a section is its identity.
const GroupView = memo(function GroupView({ group, mayLeave }: GroupViewProps) {
  const reach = use(ReachContext);
  const ref = useRef<HTMLDivElement>(null);
  const [left, setLeft] = useState<{ group: Group; height: number } | null>(null);
  useEffect(() => {
    const element = ref.current;
    if (!reach || !mayLeave || !element) return;
    return reach.watch(element, (shown) => {
      setLeft(shown ? null : { group, height: element.getBoundingClientRect().height });
    });
  }, [reach, mayLeave, group]);
  if (left?.group === group && mayLeave) {
    return <div ref={ref} className="Markdown-group" style={{ height: left.height }} />;
  }
  return (
    <div ref={ref} className="Markdown-group">
      {group.map((section, at) => (
        <SectionView key={at} section={section} />
      ))}
    </div>
  );
});

const SectionView = memo(function SectionView({ section }: { section: Section }) {
  return section.map(blockOf);
});
