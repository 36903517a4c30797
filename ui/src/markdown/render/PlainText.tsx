/**
 * Text without Markdown. Of a text of megabytes only the part near the view is mounted.
 */
import { memo, useMemo } from 'react';
import { VirtualizedBlock } from './VirtualizedBlock';
import { estimateLines, splitLongText } from '../../kit/text/splitLongText';
import './Markdown.css';

/** Portions that are mounted together. */
const portionsPerGroup = 4;

type PlainTextProps = {
  text: string;
  className: string;
  /** The line height, in px. */
  lineHeight: number;
};

export const PlainText = memo(function PlainText(props: PlainTextProps) {
  const { text, className, lineHeight } = props;
  const groups = useMemo(() => groupsOf(text), [text]);
  if (groups === null) {
    return (
      <p className={className} dir="auto">
        {text}
      </p>
    );
  }
  return (
    <div className={className}>
      {groups.map(({ portions, lines }, at) => (
        <VirtualizedBlock
          key={at}
          of={portions}
          mayLeave
          // The part at which the text opens, its beginning or end, is mounted at once.
          estimate={at === 0 || at === groups.length - 1 ? undefined : lines * lineHeight}
        >
          {() =>
            portions.map((portion, place) => (
              <p key={place} dir="auto">
                {portion}
              </p>
            ))
          }
        </VirtualizedBlock>
      ))}
    </div>
  );
});

type PortionGroup = { portions: readonly string[]; lines: number };

/** null: the text is short. */
function groupsOf(text: string): readonly PortionGroup[] | null {
  const all = splitLongText(text);
  if (all.length === 1) return null;
  return Array.from({ length: Math.ceil(all.length / portionsPerGroup) }, (_, at) => {
    const portions = all.slice(at * portionsPerGroup, (at + 1) * portionsPerGroup);
    return { portions, lines: portions.reduce((lines, words) => lines + estimateLines(words), 0) };
  });
}
