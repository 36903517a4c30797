/**
 * One budget: what is used of it, and its fields. Where costs are not shown, a budget in money has no
 * amounts and can only be removed.
 */
import { useText } from '../../i18n';
import type { Budget, BudgetLimit, BudgetReport } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row, Stack } from '../../kit/display/Stack';
import { isFloorOf, useSpentText } from '../../state/text/budgetText';
import { useShowsCosts } from '../../state/text/costText';
import { NumberField } from '../fields/NumberField';
import { isCurrency, isDecimal, TypedField, withPoint } from '../fields/TypedField';

type BudgetFieldsProps = {
  budget: Budget;
  /** undefined: it is not read yet, or no session is open. */
  report: BudgetReport | undefined;
  /** True if another budget counts the same. */
  isTaken: (budget: Budget) => boolean;
  /** null: it is removed. */
  onChange: (budget: Budget | null) => void;
};

export function BudgetFields({ budget, report, isTaken, onChange }: BudgetFieldsProps) {
  const text = useText();
  const costs = useShowsCosts();
  const spentText = useSpentText();
  const { limit } = budget;
  const heading = text(`budgets.each_${budget.scope}`);
  const isHidden = limit.type === 'money' && !costs;
  const spent = report?.gauges.map((gauge) => spentText(gauge, isFloorOf(report, gauge))) ?? [];
  const setLimit = (changed: BudgetLimit) => {
    onChange({ ...budget, limit: changed });
  };
  return (
    <section aria-label={heading}>
      <Stack>
        <div>
          <h4>{heading}</h4>
          {isHidden ? (
            <p className="Settings-quiet">{text('budgets.hidden')}</p>
          ) : (
            spent.map((words) => <p key={words}>{words}</p>)
          )}
        </div>
        {!isHidden && (
          <LimitFields
            limit={limit}
            isTaken={(changed) => isTaken({ ...budget, limit: changed })}
            onChange={setLimit}
          />
        )}
        {!isHidden && (
          <NumberField
            label={text('budgets.warnAt')}
            value={budget.warnAt}
            min={1}
            max={99}
            onSave={(warnAt) => {
              onChange({ ...budget, warnAt: warnAt ?? budget.warnAt });
            }}
          />
        )}
        <Row>
          <Button
            kind="quiet"
            icon="trash"
            onClick={() => {
              onChange(null);
            }}
          >
            {text('budgets.remove')}
          </Button>
        </Row>
      </Stack>
    </section>
  );
}

type LimitFieldsProps = {
  limit: BudgetLimit;
  isTaken: (limit: BudgetLimit) => boolean;
  onChange: (limit: BudgetLimit) => void;
};

function LimitFields({ limit, isTaken, onChange }: LimitFieldsProps) {
  const text = useText();
  if (limit.type === 'tokens') {
    return (
      <NumberField
        label={text('budgets.tokenLimit')}
        value={limit.tokens}
        min={1}
        onSave={(tokens) => {
          onChange({ type: 'tokens', tokens: tokens ?? limit.tokens });
        }}
      />
    );
  }
  const currencyError = (currency: string) => {
    if (!isCurrency(currency)) return text('usage.currencyWrong');
    return isTaken({ ...limit, currency }) ? text('budgets.same') : null;
  };
  return (
    <>
      <TypedField
        label={text('budgets.amount')}
        value={limit.amount}
        normalize={withPoint}
        error={(typed) =>
          isDecimal(typed) && Number(typed) > 0 ? null : text('budgets.amountWrong')
        }
        onSave={(amount) => {
          onChange({ ...limit, amount: amount ?? limit.amount });
        }}
      />
      <TypedField
        label={text('usage.currency')}
        value={limit.currency}
        normalize={(typed) => typed.toUpperCase()}
        error={currencyError}
        onSave={(currency) => {
          onChange({ ...limit, currency: currency ?? limit.currency });
        }}
      />
      <NumberField
        label={text('budgets.unpriced')}
        hint={text('budgets.unpricedHint')}
        value={limit.unpricedTokens}
        min={1}
        onSave={(unpricedTokens) => {
          onChange({ ...limit, unpricedTokens: unpricedTokens ?? limit.unpricedTokens });
        }}
      />
    </>
  );
}
