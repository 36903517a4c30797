/**
 * Renders a model's text safely, also while it streams. Links, copying and images go through the actions of
 * the app window (markdownActions.ts).
 */
import { memo, useState } from 'react';
import { renderBlock } from './renderBlocks';
import { VirtualizedBlock } from './VirtualizedBlock';
import { estimateGroupHeight } from './estimateGroupHeight';
import { IncrementalParser } from '../parse/incrementalParser';
import type { SectionGroup, Section } from '../parse/sections';
import './Markdown.css';

/** No model writes as many sections between two frames: what is far above the end of so much is not read. */
const manySections = 32;

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
          beginsLeft={at > 0 && beginsLeft(groups, at, isWhole)}
        />
      ))}
    </div>
  );
});

/**
 * True if a group begins as its estimated height. A text is opened at its end or at its beginning; while it
 * streams, the view is at its end.
 */
function beginsLeft(groups: readonly SectionGroup[], at: number, isWhole: boolean): boolean {
  return hasMany(groups, at, 1) && (!isWhole || hasMany(groups, at, -1));
}

/** A section of a long list counts as one for each of so many characters. */
const longSection = 4096;

/** True if there are many sections behind a group, or with -1 before it. */
function hasMany(groups: readonly SectionGroup[], at: number, step: 1 | -1): boolean {
  let sections = 0;
  for (let next = groups[at + step], to = at + step; next && sections < manySections;) {
    for (const { unparsed } of next) sections += Math.ceil((unparsed?.length ?? 1) / longSection);
    to += step;
    next = groups[to];
  }
  return sections >= manySections;
}

type SectionGroupViewProps = {
  group: SectionGroup;
  /** Far from the view only its height is mounted. */
  mayLeave: boolean;
  /** At first only an estimated height is mounted. */
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
      estimate={beginsLeft ? estimateGroupHeight(group) : undefined}
    >
      {() => group.map((section, at) => <SectionView key={at} section={section} />)}
    </VirtualizedBlock>
  );
});

const SectionView = memo(function SectionView({ section }: { section: Section }) {
  return section.blocks.map(renderBlock);
});
