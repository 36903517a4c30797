/**
 * The blocks of a text as elements.
 */
import type { ReactNode } from 'react';
import { useText } from '../i18n';
import { CodeBlock } from './CodeBlock';
import { directionOf } from './direction';
import { Formula } from './Formula';
import { inlinesOf } from './Inlines';
import { Table } from './Table';
import type { Block, ListItem } from './tree';

// A message is an article of its own: its headings begin below those of the window.
const headings = { 1: 'h3', 2: 'h4', 3: 'h5', 4: 'h6', 5: 'h6', 6: 'h6' } as const;

// Blocks are only ever appended to: their place is their identity.
export function blockOf(block: Block, at: number): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p key={at} dir="auto">
          {inlinesOf(block.children)}
        </p>
      );
    case 'heading': {
      const Heading = headings[block.depth];
      return (
        <Heading key={at} dir="auto" data-depth={block.depth}>
          {inlinesOf(block.children)}
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
        <blockquote key={at} dir={directionOf(block.blocks)}>
          {block.blocks.map(blockOf)}
        </blockquote>
      );
    case 'list':
      return block.start === null ? (
        <ul key={at} dir={directionOf([block])} data-loose={block.loose || undefined}>
          {block.items.map(itemOf)}
        </ul>
      ) : (
        <ol
          key={at}
          dir={directionOf([block])}
          start={block.start}
          data-loose={block.loose || undefined}
        >
          {block.items.map(itemOf)}
        </ol>
      );
    case 'table':
      return <Table key={at} table={block} />;
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

function itemOf({ done, blocks }: ListItem, at: number): ReactNode {
  if (done === null) return <li key={at}>{blocks.map(blockOf)}</li>;
  return (
    <li key={at} data-task={done ? 'done' : 'open'}>
      <Task done={done} />
      {blocks.map(blockOf)}
    </li>
  );
}

function Task({ done }: { done: boolean }) {
  const text = useText();
  const name = text(done ? 'markdown.done' : 'markdown.notDone');
  return <input type="checkbox" checked={done} disabled aria-label={name} />;
}
