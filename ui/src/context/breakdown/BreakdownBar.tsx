/**
 * The context window as one bar, a segment for each row of the breakdown. It is drawn only from a
 * provider's report: an estimate has no total (Q11). The table below has the same numbers.
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
