/**
 * The blocks of a text as elements.
 */
import { useText } from '../i18n';
import { CodeBlock } from './CodeBlock';
import { Formula } from './Formula';
import { Inlines } from './Inlines';
import type { Block, ListItem } from './tree';

// A message is an article of its own: its headings begin below those of the window.
const headings = { 1: 'h3', 2: 'h4', 3: 'h5', 4: 'h6', 5: 'h6', 6: 'h6' } as const;

export function BlockView({ block }: { block: Block }) {
  switch (block.type) {
    case 'paragraph':
      return (
        <p dir="auto">
          <Inlines inlines={block.children} />
        </p>
      );
    case 'heading': {
      const Heading = headings[block.depth];
      return (
        <Heading dir="auto" data-depth={block.depth}>
          <Inlines inlines={block.children} />
        </Heading>
      );
    }
    case 'code':
      return <CodeBlock language={block.language} code={block.text} growing={block.growing} />;
    case 'math':
      return <Formula tex={block.tex} display />;
    case 'quote':
      return (
        <blockquote>
          <BlockViews blocks={block.blocks} />
        </blockquote>
      );
    case 'list':
      return block.start === null ? (
        <ul data-loose={block.loose || undefined}>
          <Items items={block.items} />
        </ul>
      ) : (
        <ol start={block.start} data-loose={block.loose || undefined}>
          <Items items={block.items} />
        </ol>
      );
    case 'table':
      return <TableView table={block} />;
    case 'rule':
      return <hr />;
    case 'raw':
      return <p className="Markdown-raw">{block.text}</p>;
  }
}

function BlockViews({ blocks }: { blocks: readonly Block[] }) {
  return blocks.map((block, at) => <BlockView key={at} block={block} />);
}

function Items({ items }: { items: readonly ListItem[] }) {
  const text = useText();
  return items.map(({ done, blocks }, at) => (
    <li key={at} data-task={done === null ? undefined : done ? 'done' : 'open'}>
      {done !== null && (
        <input
          type="checkbox"
          checked={done}
          disabled
          aria-label={text(done ? 'markdown.done' : 'markdown.notDone')}
        />
      )}
      <BlockViews blocks={blocks} />
    </li>
  ));
}

function TableView({ table }: { table: Extract<Block, { type: 'table' }> }) {
  const { header, align, rows } = table;
  return (
    <div className="Markdown-table">
      <table>
        <thead>
          <tr>
            {header.map((cell, at) => (
              <th key={at} scope="col" dir="auto" data-align={align[at] ?? undefined}>
                <Inlines inlines={cell} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row, line) => (
            <tr key={line}>
              {row.map((cell, at) => (
                <td key={at} dir="auto" data-align={align[at] ?? undefined}>
                  <Inlines inlines={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
