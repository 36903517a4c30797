/**
 * The cost of the next message: a range with its parts, and the cost after a compaction. Renders
 * nothing if costs are hidden.
 */
import { useFormats, useText } from '../i18n';
import type { NextMessageCost } from '../ipc/bindings';
import { useEstimateText } from '../state/text/costText';
import './EstimateNumbers.css';

export function NextMessageCostRows({ cost }: { cost: NextMessageCost }) {
  const text = useText();
  const estimateText = useEstimateText();
  const parts = useCostParts(cost);
  const now = estimateText(cost.now);
  const compacted = cost.compacted && estimateText(cost.compacted);
  if (now === null) return null;
  const isPriced = cost.now.type === 'between' || cost.now.type === 'atLeast';
  return (
    <dl className="EstimateNumbers">
      <dt>{text('usage.next')}</dt>
      <dd>
        {now}
        {isPriced && <small className="EstimateNumbers-parts">{parts.join(' · ')}</small>}
      </dd>
      {isPriced && compacted !== null && (
        <>
          <dt>{text('usage.nextCompacted')}</dt>
          <dd>{compacted}</dd>
        </>
      )}
    </dl>
  );
}

/** The parts of a message's cost, in words. */
function useCostParts({ cached, fresh, answer, declaresTools }: NextMessageCost): string[] {
  const text = useText();
  const { exact } = useFormats();
  const prompt =
    cached > 0
      ? text('usage.nextPrompt', { cached: exact(cached), fresh: exact(fresh) })
      : text('usage.nextFresh', { fresh: exact(fresh) });
  const answerText = () => {
    const { least, most, isTypical } = answer;
    if (most === null) return text('usage.answerUnknown');
    return isTypical
      ? text('usage.answerTypical', { least: exact(least), most: exact(most) })
      : text('usage.answerLimit', { most: exact(most) });
  };
  return [prompt, answerText(), ...(declaresTools ? [text('usage.nextTools')] : [])];
}
