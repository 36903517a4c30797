/**
 * Renders the blocks of a syntax tree.
 */
import { memo, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { CodeBlock } from './CodeBlock';
import { textDirection } from '../parse/textDirection';
import { Formula } from './Formula';
import { estimateBlockHeight, lineHeight } from './estimateGroupHeight';
import { renderInlines } from './renderInlines';
import { MarkdownTable } from './MarkdownTable';
import { PlainText } from './PlainText';
import { VirtualizedBlock } from './VirtualizedBlock';
import type { Block, BlockPart, ListItem } from '../parse/ast';

// A message is an article of its own: its headings begin below those of the app window.
const headings = { 1: 'h3', 2: 'h4', 3: 'h5', 4: 'h6', 5: 'h6', 6: 'h6' } as const;

// Blocks are only ever appended to: their index is their key.
export function renderBlock(block: Block, at: number): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p key={at} dir="auto">
          {renderInlines(block.children)}
        </p>
      );
    case 'heading': {
      const Heading = headings[block.depth];
      return (
        <Heading key={at} dir="auto" data-depth={block.depth}>
          {renderInlines(block.children)}
        </Heading>
      );
    }
    case 'code':
      return (
        <CodeBlock key={at} language={block.language} code={block.text} growing={block.growing} />
      );
    case 'math':
      return <Formula key={at} tex={block.tex} display />;
    case 'quote':
      return (
        <VirtualizedBlock key={at} as="blockquote" {...partOf(block)}>
          {() => block.blocks.map(renderBlock)}
        </VirtualizedBlock>
      );
    case 'list':
      return (
        <VirtualizedBlock key={at} as={block.start === null ? 'ul' : 'ol'} {...partOf(block)}>
          {() => block.items.map(renderListItem)}
        </VirtualizedBlock>
      );
    case 'table':
      return <MarkdownTable key={at} table={block} />;
    case 'rule':
      return <hr key={at} />;
    case 'raw':
      return (
        <PlainText key={at} className="Markdown-raw" text={block.text} lineHeight={lineHeight} />
      );
  }
}

/** The last part begins in the page, because a text is opened at its end. */
const partOf = (block: Extract<Block, BlockPart>) => ({
  of: block,
  mayLeave: block.goesOn === true,
  estimate: block.goesOn ? estimateBlockHeight(block) : undefined,
  attributes: {
    dir: textDirection([block]),
    ...(block.type === 'list' && {
      start: block.start ?? undefined,
      'data-loose': block.loose || undefined,
    }),
    'data-continues': block.continues,
  },
});

const renderListItem = (item: ListItem, at: number) => <ListItemView key={at} item={item} />;

/** Of a long list that streams, only its last items are rendered again. */
const ListItemView = memo(function ListItemView({ item: { done, blocks } }: { item: ListItem }) {
  if (done === null) return <li>{blocks.map(renderBlock)}</li>;
  return (
    <li data-task={done ? 'done' : 'open'}>
      <TaskCheckbox done={done} />
      {blocks.map(renderBlock)}
    </li>
  );
});

function TaskCheckbox({ done }: { done: boolean }) {
  const text = useText();
  const name = text(done ? 'markdown.done' : 'markdown.notDone');
  return <input type="checkbox" checked={done} disabled aria-label={name} />;
}
