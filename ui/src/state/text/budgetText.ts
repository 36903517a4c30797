/**
 * Budgets in words. Where costs are not shown, a budget in money has no numbers, of tokens neither.
 */
import { useFormats, useText } from '../../i18n';
import type { BudgetAmount, BudgetGauge, BudgetReport, BudgetStop } from '../../ipc/bindings';
import { moneyText, useShowsCosts } from './costText';

const numberOf = (amount: BudgetAmount) =>
  amount.type === 'money' ? amount.money.amount : amount.tokens;

/** The stop after a yes to as much again: the limit is added to what was spent and to what is under way. */
export function nextStopOf({ gauge, underWay }: BudgetStop): BudgetAmount {
  const { spent, limit } = gauge;
  const sum = numberOf(spent) + numberOf(limit) + (underWay === null ? 0 : numberOf(underWay));
  return limit.type === 'money'
    ? { ...limit, money: { ...limit.money, amount: sum } }
    : { ...limit, tokens: sum };
}

/** An amount with its unit; null: it is of a budget in money, and costs are not shown. */
export function useBudgetAmountText(): (amount: BudgetAmount) => string | null {
  const text = useText();
  const formats = useFormats();
  const costs = useShowsCosts();
  return (amount) => {
    switch (amount.type) {
      case 'money':
        if (!costs) return null;
        return amount.money.amount === 0
          ? formats.money(0, amount.money.currency)
          : moneyText(text, formats, amount.money);
      case 'tokens':
        return text('budgets.tokens', { count: amount.tokens });
      case 'unpricedTokens':
        return costs ? text('budgets.unpricedTokens', { count: amount.tokens }) : null;
    }
  };
}

/** True if more was spent than a gauge says. Calls of unknown cost are in no amount of money. */
export const isFloorOf = ({ gauges, isFloor }: BudgetReport, { spent }: BudgetGauge) =>
  isFloor ||
  (spent.type === 'money' &&
    gauges.some((other) => other.spent.type === 'unpricedTokens' && other.spent.tokens > 0));

/** The amount spent of a limit, and the stop; null: costs are not shown. */
export function useSpentText(): (gauge: BudgetGauge, isFloor: boolean) => string | null {
  const text = useText();
  const formats = useFormats();
  const amountText = useBudgetAmountText();
  return ({ spent, stop }, isFloor) => {
    const of = amountText(stop);
    // The unit of tokens stands behind the second number alone.
    const amount = spent.type === 'money' ? amountText(spent) : formats.exact(spent.tokens);
    if (amount === null || of === null) return null;
    if (!isFloor) return text('budgets.spent', { amount, of });
    return numberOf(spent) > 0
      ? text('budgets.spentAtLeast', { amount, of })
      : text('budgets.spentUnknown', { of });
  };
}
