/**
 * Words as they were written, without marks that mean anything. Of a text of megabytes only what is near
 * the view is in the page.
 */
import { memo, useMemo } from 'react';
import { Leaving } from './Leaving';
import { linesOf, portionsOf } from './portions';
import './Markdown.css';

/** Portions that come and go together. */
const together = 4;

type PlainWordsProps = {
  text: string;
  className: string;
  /** In px. */
  lineHeight: number;
};

export const PlainWords = memo(function PlainWords(props: PlainWordsProps) {
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
        <Leaving
          key={at}
          of={portions}
          mayLeave
          // What is opened at its beginning or at its end is seen at once.
          estimate={at === 0 || at === groups.length - 1 ? undefined : lines * lineHeight}
        >
          {() =>
            portions.map((portion, place) => (
              <p key={place} dir="auto">
                {portion}
              </p>
            ))
          }
        </Leaving>
      ))}
    </div>
  );
});

type PortionGroup = { portions: readonly string[]; lines: number };

/** null: it is short. */
function groupsOf(text: string): readonly PortionGroup[] | null {
  const all = portionsOf(text);
  if (all.length === 1) return null;
  return Array.from({ length: Math.ceil(all.length / together) }, (_, at) => {
    const portions = all.slice(at * together, (at + 1) * together);
    return { portions, lines: portions.reduce((lines, words) => lines + linesOf(words), 0) };
  });
}
