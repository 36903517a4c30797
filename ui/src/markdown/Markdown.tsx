/**
 * A model's text, shown safely and while it still arrives. Nothing in the text runs; links, copying
 * and pictures go through the actions that the window provides.
 */
import { memo, useState } from 'react';
import { BlockView } from './Blocks';
import { Reader, type Group, type Section } from './reader';
import './Markdown.css';

type MarkdownProps = {
  text: string;
  /** More of it is coming. */
  streaming?: boolean;
};

export const Markdown = memo(function Markdown({ text, streaming = false }: MarkdownProps) {
  const [reader] = useState(() => new Reader());
  return (
    <div className="Markdown">
      {reader.read(text, !streaming).map((group, at) => (
        <GroupView key={at} group={group} />
      ))}
    </div>
  );
});

// Only ever appended to, so that the place of a group, a section or a block is its identity.
const GroupView = memo(function GroupView({ group }: { group: Group }) {
  return group.map((section, at) => <SectionView key={at} section={section} />);
});

const SectionView = memo(function SectionView({ section }: { section: Section }) {
  return section.map((block, at) => <BlockView key={at} block={block} />);
});
