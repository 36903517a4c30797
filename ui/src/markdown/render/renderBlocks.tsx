/**
 * Renders the blocks of a syntax tree.
 */
import { memo, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { CodeBlock } from './CodeBlock';
import { textDirection } from '../parse/textDirection';
import { Formula } from './Formula';
import { renderInlines } from './renderInlines';
import { MarkdownTable } from './MarkdownTable';
import type { Block, ListItem } from '../parse/ast';

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
        <blockquote key={at} dir={textDirection(block.blocks)}>
          {block.blocks.map(renderBlock)}
        </blockquote>
      );
    case 'list':
      return block.start === null ? (
        <ul key={at} dir={textDirection([block])} data-loose={block.loose || undefined}>
          {block.items.map(renderListItem)}
        </ul>
      ) : (
        <ol
          key={at}
          dir={textDirection([block])}
          start={block.start}
          data-loose={block.loose || undefined}
        >
          {block.items.map(renderListItem)}
        </ol>
      );
    case 'table':
      return <MarkdownTable key={at} table={block} />;
    case 'rule':
      return <hr key={at} />;
    case 'raw':
      return (
        <p key={at} className="Markdown-raw" data-goes-on={block.goesOn}>
          {block.text}
        </p>
      );
  }
}

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
