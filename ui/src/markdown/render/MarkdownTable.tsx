/**
 * A table. A wide one scrolls sideways, also by the keyboard. Of a long one only the rows near the view are
 * mounted.
 */
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useText } from '../../i18n';
import { estimateRowsHeight } from './estimateGroupHeight';
import { renderInlines } from './renderInlines';
import { VirtualizedBlock } from './VirtualizedBlock';
import type { Block, Inline } from '../parse/ast';

/** Cells of the rows that are mounted together. */
const cellsPerPart = 500;

export function MarkdownTable({ table }: { table: Extract<Block, { type: 'table' }> }) {
  const { header, align, rows } = table;
  const text = useText();
  const box = useRef<HTMLDivElement>(null);
  const isWide = useOverflows(box);
  const cell = (inlines: readonly Inline[], column: number) => (
    <td key={column} dir="auto" data-align={align[column] ?? undefined}>
      {renderInlines(inlines)}
    </td>
  );
  return (
    <div
      ref={box}
      className="Markdown-table"
      {...(isWide && { role: 'group', tabIndex: 0, 'aria-label': text('markdown.table') })}
    >
      <table>
        <thead>
          <tr>
            {header.map((inlines, column) => (
              <th key={column} scope="col" dir="auto" data-align={align[column] ?? undefined}>
                {renderInlines(inlines)}
              </th>
            ))}
          </tr>
        </thead>
        {partsOf(rows, Math.ceil(cellsPerPart / header.length)).map((part, at, { length }) => (
          <VirtualizedBlock
            key={at}
            as="tbody"
            of={part[0] ?? rows}
            mayLeave={at < length - 1}
            estimate={estimateRowsHeight(part.length)}
          >
            {() => part.map((row, line) => <tr key={line}>{row.map(cell)}</tr>)}
          </VirtualizedBlock>
        ))}
      </table>
    </div>
  );
}

const partsOf = <Row,>(rows: readonly Row[], length: number) =>
  Array.from({ length: Math.ceil(rows.length / length) }, (_, at) =>
    rows.slice(at * length, (at + 1) * length),
  );

/** A table that does not scroll is not focusable. */
function useOverflows(box: RefObject<HTMLElement | null>): boolean {
  const [isWide, setWide] = useState(false);
  useEffect(() => {
    const element = box.current;
    const held = element?.firstElementChild;
    if (!element || !held || typeof ResizeObserver === 'undefined') return;
    const watch = new ResizeObserver(() => {
      setWide(element.scrollWidth > element.clientWidth);
    });
    watch.observe(element);
    watch.observe(held);
    return () => {
      watch.disconnect();
    };
  }, [box]);
  return isWide;
}
