/**
 * The context window as one bar: a segment for each row of the breakdown, and a mark where the price rises.
 * It is drawn only from a provider's report: an estimate has no total (Q11). The table below has the same
 * numbers.
 */
import type { Breakdown } from '../../ipc/bindings';
import { useShowsCosts } from '../../state/text/costText';

export function BreakdownBar({ breakdown }: { breakdown: Breakdown }) {
  const showsCosts = useShowsCosts();
  const { mode, rows, window, over, priceStep = null } = breakdown;
  if (mode.type === 'estimated') return null;
  const share = (tokens: number) => `${(tokens / (window + over)) * 100}%`;
  return (
    <div className="BreakdownBar" aria-hidden="true">
      <div className="BreakdownBar-rows">
        {rows.map(({ kind, tokens }) => (
          <span key={kind} data-kind={kind} style={{ width: share(tokens) }} />
        ))}
      </div>
      {showsCosts && priceStep !== null && (
        <div className="BreakdownBar-step" style={{ left: share(priceStep) }} />
      )}
    </div>
  );
}
