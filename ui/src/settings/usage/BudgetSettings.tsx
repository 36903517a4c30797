/**
 * The budgets: what is used of each, their limits, and a form for another one.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { Budget, BudgetScope } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row, Stack } from '../../kit/display/Stack';
import { Select } from '../../kit/fields/Select';
import { useBudgets } from '../../state/queries/budgetQueries';
import { useShowsCosts } from '../../state/text/costText';
import type { SessionSettingsPageProps } from '../useSaveSettings';
import { BudgetFields } from './BudgetFields';
import { countsSame, countsOf } from './budgetUnits';

const scopes: readonly BudgetScope[] = ['session', 'day', 'month'];
const units = ['money', 'tokens'] as const;
type Unit = (typeof units)[number];

/** The limits that a new budget begins with. */
const newLimits: Record<Unit, Budget['limit']> = {
  money: { type: 'money', amount: '5', currency: 'USD', unpricedTokens: 1_000_000 },
  tokens: { type: 'tokens', tokens: 1_000_000 },
};

export function BudgetSettings({ settings, save, session }: SessionSettingsPageProps) {
  const text = useText();
  const { budgets } = settings;
  const { data: reports = [] } = useBudgets(session);
  const change = (at: number, budget: Budget | null) => {
    const others = (old: readonly Budget[]) =>
      budget === null ? old.toSpliced(at, 1) : old.with(at, budget);
    save((old) => ({ ...old, budgets: others(old.budgets) }));
  };
  return (
    <section aria-label={text('budgets.heading')}>
      <Stack>
        <div>
          <h3>{text('budgets.heading')}</h3>
          <p className="Settings-quiet">{text('budgets.hint')}</p>
        </div>
        {budgets.length === 0 && <p>{text('budgets.none')}</p>}
        {budgets.map((budget, at) => (
          <BudgetFields
            key={countsOf(budget)}
            budget={budget}
            report={reports.find((it) => countsSame(it, budget))}
            isTaken={(other) =>
              budgets.some((it, place) => place !== at && countsOf(it) === countsOf(other))
            }
            onChange={(changed) => {
              change(at, changed);
            }}
          />
        ))}
        <NewBudget
          budgets={budgets}
          onAdd={(budget) => {
            save((old) => ({ ...old, budgets: [...old.budgets, budget] }));
          }}
        />
      </Stack>
    </section>
  );
}

type NewBudgetProps = { budgets: readonly Budget[]; onAdd: (budget: Budget) => void };

function NewBudget({ budgets, onAdd }: NewBudgetProps) {
  const text = useText();
  const costs = useShowsCosts();
  const [scope, setScope] = useState<BudgetScope>('day');
  const [chosen, setUnit] = useState<Unit>('money');
  const unit = costs ? chosen : 'tokens';
  const budget: Budget = { scope, limit: newLimits[unit], warnAt: 80 };
  const taken = budgets.some((it) => countsOf(it) === countsOf(budget));
  return (
    <>
      <Select
        label={text('budgets.scope')}
        value={scope}
        options={scopes.map((value) => ({ value, label: text(`budgets.each_${value}`) }))}
        onChange={setScope}
      />
      {costs && (
        <Select
          label={text('budgets.unit')}
          value={unit}
          options={units.map((value) => ({ value, label: text(`budgets.unit_${value}`) }))}
          onChange={setUnit}
        />
      )}
      {taken && <p className="Settings-quiet">{text('budgets.same')}</p>}
      <Row>
        <Button
          icon="add"
          disabled={taken}
          onClick={() => {
            onAdd(budget);
          }}
        >
          {text('budgets.add')}
        </Button>
      </Row>
    </>
  );
}
