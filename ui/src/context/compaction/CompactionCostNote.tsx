/**
 * The cost of a compaction, and the number of messages after which it pays. Renders nothing if no
 * model is used or costs are hidden.
 */
import { useText } from '../../i18n';
import type { CompactionPreview, PaidAfter } from '../../ipc/bindings';
import { useEstimateText } from '../../state/text/costText';

export function CompactionCostNote({
  cost,
  paidAfter,
}: Pick<CompactionPreview, 'cost' | 'paidAfter'>) {
  const text = useText();
  const estimateText = useEstimateText();
  const paidText = ({ least, most }: PaidAfter) => {
    if (most === null) return text('usage.paidAfterAtLeast', { count: least });
    return least === most
      ? text('usage.paidAfterExactly', { count: least })
      : text('usage.paidAfter', { least, count: most });
  };
  const estimate = cost && estimateText(cost);
  if (estimate === null) return null;
  return (
    <p>
      {text('usage.compaction', { cost: estimate })}
      {paidAfter && ` ${paidText(paidAfter)}`}
    </p>
  );
}
