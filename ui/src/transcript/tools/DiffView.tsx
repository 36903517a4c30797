/**
 * A unified diff. Added and removed lines differ by colour and by their sign.
 */
import { EscapedText } from '../../kit/text/EscapedText';

export function DiffView({ label, diff }: { label: string; diff: string }) {
  return (
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre className="Tool-text Diff" tabIndex={0} aria-label={label}>
      {diff
        .trimEnd()
        .split('\n')
        .map((line, at) => (
          <span key={at} data-line={diffLineKind(line)}>
            <EscapedText words={line} />
          </span>
        ))}
    </pre>
  );
}

function diffLineKind(line: string): 'added' | 'removed' | 'place' | undefined {
  if (line.startsWith('@@')) return 'place';
  if (line.startsWith('+')) return 'added';
  if (line.startsWith('-')) return 'removed';
  return undefined;
}
