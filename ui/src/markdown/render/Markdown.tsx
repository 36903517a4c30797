/**
 * A model's text, shown safely and while it still arrives. Nothing in the text runs; links, copying
 * and pictures go through the actions that the window provides.
 */
import { memo, useState } from 'react';
import { renderBlock } from './renderBlocks';
import { VirtualizedBlock } from './VirtualizedBlock';
import { estimateLines } from '../../kit/text/splitLongText';
import { IncrementalParser, type SectionGroup, type Section } from '../parse/incrementalParser';
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
  const [reader] = useState(() => new IncrementalParser());
  const groups = reader.parse(typeof text === 'string' ? [text] : text, !streaming);
  const grows = streaming ? groups.length - 1 : -1;
  // What has grown before somebody's eyes stays before them.
  const [isWhole] = useState(!streaming);
  return (
    <div className="Markdown">
      {groups.map((group, at) => (
        <SectionGroupView
          key={at}
          group={group}
          mayLeave={groups.length > 1 && at !== grows}
          beginsLeft={isWhole && at > 0 && at < groups.length - 1}
        />
      ))}
    </div>
  );
});

type SectionGroupViewProps = {
  group: SectionGroup;
  /** Beyond reach only its height stays. */
  mayLeave: boolean;
  /** It begins as a height alone, where that can be told of it. */
  beginsLeft: boolean;
};

// Only ever appended to, so that the place of a group or a section is its identity.
const SectionGroupView = memo(function GroupView({
  group,
  mayLeave,
  beginsLeft,
}: SectionGroupViewProps) {
  return (
    <VirtualizedBlock
      of={group}
      mayLeave={mayLeave}
      estimate={beginsLeft ? (estimateHeight(group) ?? undefined) : undefined}
    >
      {() => group.map((section, at) => <SectionView key={at} section={section} />)}
    </VirtualizedBlock>
  );
});

const SectionView = memo(function SectionView({ section }: { section: Section }) {
  return section.map(renderBlock);
});

/** About what a group takes in px whose blocks are nothing but written words; null: nobody knows. */
function estimateHeight(group: SectionGroup): number | null {
  let lines = 0;
  for (const block of group.flat()) {
    if (block.type !== 'raw') return null;
    lines += estimateLines(block.text);
  }
  return lines * lineHeight;
}
