/**
 * The whole window as one bar, a piece for each row. Drawn only from what the provider reported: an
 * estimate has no total to draw (Q11). The table below says the same in words.
 */
import type { Breakdown } from '../../ipc/bindings';

export function BreakdownBar({ breakdown }: { breakdown: Breakdown }) {
  const { mode, rows, window, over } = breakdown;
  if (mode.type === 'estimated') return null;
  return (
    <div className="BreakdownBar" aria-hidden="true">
      {rows.map(({ kind, tokens }) => (
        <span
          key={kind}
          data-kind={kind}
          style={{ width: `${(tokens / (window + over)) * 100}%` }}
        />
      ))}
    </div>
  );
}
