/**
 * The context strategies as options, each described with the numbers of a model, or without if its context
 * window is unknown.
 */
import { useFormats, useText } from '../../i18n';
import type { Strategy, StrategyNumbers } from '../../ipc/bindings';

export const strategies: readonly Strategy[] = ['summarize', 'remind', 'archive'];

/** `numbers`: undefined while they are loading. */
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
