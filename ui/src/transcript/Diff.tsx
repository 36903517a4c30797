/**
 * A unified diff; added and removed lines differ in colour and by their sign.
 */
import { Shown } from '../kit/Shown';

export function Diff({ diff }: { diff: string }) {
  return (
    <pre className="Tool-text Diff">
      {diff
        .trimEnd()
        .split('\n')
        .map((line, at) => (
          <span key={at} data-line={kindOf(line)}>
            <Shown words={line} />
          </span>
        ))}
    </pre>
  );
}

function kindOf(line: string): 'added' | 'removed' | 'place' | undefined {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return undefined;
}
