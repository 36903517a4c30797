/**
 * A model's text, shown safely and while it still arrives. Nothing in the text runs; links, copying
 * and pictures go through the actions that the window provides.
 */
import { memo, useState } from 'react';
import { blockOf } from './Blocks';
import { Leaving } from './Leaving';
import { linesOf } from './portions';
import { Reader, type Group, type Section } from './reader';
import './Markdown.css';

/** Of written words, in px. */
const lineHeight = 24;

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
  // What has grown before somebody's eyes stays before them.
  const [isWhole] = useState(!streaming);
  return (
    <div className="Markdown">
      {groups.map((group, at) => (
        <GroupView
          key={at}
          group={group}
          mayLeave={groups.length > 1 && at !== grows}
          beginsLeft={isWhole && at > 0 && at < groups.length - 1}
        />
      ))}
    </div>
  );
});

type GroupViewProps = {
  group: Group;
  /** Beyond reach only its height stays. */
  mayLeave: boolean;
  /** It begins as a height alone, where that can be told of it. */
  beginsLeft: boolean;
};

// Only ever appended to, so that the place of a group or a section is its identity.
const GroupView = memo(function GroupView({ group, mayLeave, beginsLeft }: GroupViewProps) {
  return (
    <Leaving
      of={group}
      mayLeave={mayLeave}
      estimate={beginsLeft ? (heightOf(group) ?? undefined) : undefined}
    >
      {() => group.map((section, at) => <SectionView key={at} section={section} />)}
    </Leaving>
  );
});

const SectionView = memo(function SectionView({ section }: { section: Section }) {
  return section.map(blockOf);
});

/** About what a group takes in px whose blocks are nothing but written words; null: nobody knows. */
function heightOf(group: Group): number | null {
  let lines = 0;
  for (const block of group.flat()) {
    if (block.type !== 'raw') return null;
    lines += linesOf(block.text);
  }
  return lines * lineHeight;
}
