/**
 * The tokens of a reply as its provider reported them, and its cost by the prices of that day. The exact
 * numbers are in the tooltip.
 */
import { useFormats, useText } from '../../i18n';
import type { CacheMiss, Cost, Generation } from '../../ipc/bindings';
import { Tooltip } from '../../kit/layers/Tooltip';
import { useCacheMissText } from '../../state/text/cacheMissText';
import { useCostText } from '../../state/text/costText';

type UsageLineProps = { generation: Generation; cost: Cost | null; cacheMiss: CacheMiss | null };

export function UsageLine({ generation, cost, cacheMiss }: UsageLineProps) {
  const text = useText();
  const costText = useCostText();
  const missText = useCacheMissText();
  const costWords = cost === null ? null : costText(cost);
  const formats = useFormats();
  const { prompt = null, completion = null, cached = null } = generation.usage;
  const { cacheWritten = null, reasoning = null } = generation.usage;
  const exact = (count: number | null) =>
    count === null ? text('providers.unknownCount') : formats.exact(count);
  const words: string[] = [];
  if (prompt !== null) {
    words.push(text('providers.usagePrompt', { tokens: formats.tokens(prompt) }));
    if (cached !== null && cached > 0) {
      words.push(text('providers.usageCached', { share: formats.percent(cached / prompt) }));
    }
    if (cacheMiss) words.push(text('usage.cacheMissed'));
  }
  if (completion !== null) {
    words.push(text('providers.usageAnswer', { tokens: formats.tokens(completion) }));
  }
  // If nothing is billed or known, the tooltip says so.
  if (cost?.type === 'known' || cost?.type === 'atLeast') {
    if (costWords !== null) words.push(costWords);
  }
  const seconds = formats.tenths(generation.durationMs / 1000);
  return (
    <Tooltip
      content={[
        text('providers.usageExact', {
          prompt: exact(prompt),
          cached: exact(cached),
          written: exact(cacheWritten),
          answer: exact(completion),
          reasoning: exact(reasoning),
        }),
        ...(cacheMiss ? [missText(cacheMiss)] : []),
        ...(costWords === null ? [] : [text('usage.exact', { cost: costWords })]),
      ].join(' ')}
    >
      <span className="Message-usage" role="note" aria-label={text('providers.usage')}>
        {[
          ...(words.length === 0 ? [text('providers.usageUnavailable')] : words),
          text('providers.usageSeconds', { seconds }),
        ].join(' · ')}
      </span>
    </Tooltip>
  );
}
