/**
 * Renders a model's text safely, also while it streams. Links, copying and images go through the actions of
 * the app window (markdownActions.ts).
 */
import { memo, useState } from 'react';
import { renderBlock } from './renderBlocks';
import { VirtualizedBlock } from './VirtualizedBlock';
import { estimateLines } from '../../kit/text/splitLongText';
import { IncrementalParser } from '../parse/incrementalParser';
import type { SectionGroup, Section } from '../parse/sections';
import './Markdown.css';

/** The line height of text, in px. */
const lineHeight = 24;

type MarkdownProps = {
  /** The whole text, or the portions in which it arrived: then only new ones are parsed. */
  text: string | readonly string[];
  /** More text may arrive. */
  streaming?: boolean;
};

export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const [reader] = useState(() => new IncrementalParser());
  const groups = reader.parse(typeof text === 'string' ? [text] : text, !streaming);
  const grows = streaming ? groups.length - 1 : -1;
  // A text that streamed stays mounted.
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
  /** Far from the view only its height is mounted. */
  mayLeave: boolean;
  /** It begins as an estimated height, if there is an estimate. */
  beginsLeft: boolean;
};

// Only ever appended to: the index of a group or a section is its key.
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

/** The estimated height of a group of plain paragraphs, in px; null: no estimate. */
function estimateHeight(group: SectionGroup): number | null {
  let lines = 0;
  for (const block of group.flat()) {
    if (block.type !== 'raw') return null;
    lines += estimateLines(block.text);
  }
  return lines * lineHeight;
}
