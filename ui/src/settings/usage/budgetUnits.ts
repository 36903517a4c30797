/** Budgets that count the same calls in the same unit: there is one of each kind. */
import type { Budget, BudgetReport } from '../../ipc/bindings';

export const countsOf = ({ scope, limit }: Budget) =>
  `${scope} ${limit.type === 'money' ? limit.currency : 'tokens'}`;

/** True if a report is of this budget. */
export function countsSame({ scope, gauges }: BudgetReport, budget: Budget): boolean {
  const limit = gauges[0]?.limit;
  const unit = limit?.type === 'money' ? limit.money.currency : 'tokens';
  return `${scope} ${unit}` === countsOf(budget);
}
