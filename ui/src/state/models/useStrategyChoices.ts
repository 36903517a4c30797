/**
 * What can happen by itself as the window fills, each way in one sentence with the numbers of a model;
 * without numbers where nobody knows how much that model holds.
 */
import { useFormats, useText } from '../../i18n';
import type { Strategy, StrategyNumbers } from '../../ipc/bindings';

export const strategies: readonly Strategy[] = ['summarize', 'remind', 'archive'];

/** Without numbers also until they have been read. */
export function useStrategyChoices(numbers: StrategyNumbers | undefined) {
  const text = useText();
  const { exact } = useFormats();
  const {
    summarizeAbove = null,
    remindAbove = null,
    countDownAbove = null,
    archiveAbove = null,
  } = numbers ?? {};
  const inNumbers = (strategy: Strategy): string | null => {
    switch (strategy) {
      case 'summarize':
        return summarizeAbove === null
          ? null
          : text('strategy.summarizeAt', { tokens: exact(summarizeAbove) });
      case 'remind':
        return remindAbove === null || countDownAbove === null
          ? null
          : text('strategy.remindAt', {
              optimal: exact(remindAbove),
              critical: exact(countDownAbove),
            });
      case 'archive':
        return archiveAbove === null
          ? null
          : text('strategy.archiveAt', { tokens: exact(archiveAbove) });
    }
  };
  return strategies.map((value) => ({
    value,
    label: text(`strategy.${value}`),
    hint: inNumbers(value) ?? text(`strategy.${value}Plain`),
  }));
}
