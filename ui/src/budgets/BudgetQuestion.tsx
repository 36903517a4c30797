/**
 * The question when a budget is used up and a request did not leave: the numbers, and four answers. It takes
 * an answer only after it has stood still for a moment.
 */
import { useRef } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { BudgetAllowance, BudgetStop, SessionId } from '../ipc/bindings';
import { useStablePosition } from '../kit/a11y/useStablePosition';
import { Button } from '../kit/controls/Button';
import { Banner } from '../kit/display/Banner';
import { useToast } from '../kit/notifications/Toast';
import { useNavigateToUsage } from '../state/app/usageNavigation';
import { nextStopOf, useBudgetAmountText, useSpentText } from '../state/text/budgetText';
import { useReportError } from '../state/text/useReportError';
import './BudgetQuestion.css';

type BudgetQuestionProps = {
  stop: BudgetStop;
  /** `null`: the call belongs to no session. */
  sessionId: SessionId | null;
  /** Does again what did not leave. */
  onAllowed: () => Promise<unknown>;
  onDismiss: () => void;
};

export function BudgetQuestion({ stop, sessionId, onAllowed, onDismiss }: BudgetQuestionProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const toUsage = useNavigateToUsage();
  const amountText = useBudgetAmountText();
  const spent = useSpentText()(stop.gauge, stop.isFloor);
  const buttons = useRef<HTMLDivElement>(null);
  const { settled, answer } = useStablePosition(buttons);
  const allow = (allowance: BudgetAllowance) => {
    answer(() => {
      reportError(commands.allowOverBudget(sessionId, stop, allowance).then(onAllowed));
    });
  };
  const another = amountText(stop.gauge.limit);
  const usedUp = useUsedUpText()(stop);
  return (
    <div role="group" aria-label={text('budgets.question')}>
      <Banner kind="warning">
        <p className="BudgetQuestion-words">
          {spent === null ? usedUp : `${usedUp} ${spent}`} {text(`budgets.goOn_${stop.purpose}`)}
        </p>
        <div ref={buttons} className="BudgetQuestion-answers">
          <Button
            aria-disabled={!settled}
            onClick={() => {
              allow('another');
            }}
          >
            {another === null ? text('budgets.anotherPlain') : text('budgets.another', { another })}
          </Button>
          {stop.purpose !== 'summary' && stop.purpose !== 'title' && (
            <Button
              aria-disabled={!settled}
              onClick={() => {
                allow('once');
              }}
            >
              {text('budgets.once')}
            </Button>
          )}
          <Button kind="quiet" onClick={onDismiss}>
            {text('budgets.notNow')}
          </Button>
          <Button kind="quiet" onClick={toUsage}>
            {text('budgets.change')}
          </Button>
        </div>
      </Banner>
    </div>
  );
}

/**
 * The reason why a budget asks: what was spent, or what the calls under way may still cost. A yes covers
 * those calls, too, so the text names the limit that holds after the yes.
 */
function useUsedUpText(): (stop: BudgetStop) => string {
  const text = useText();
  const amountText = useBudgetAmountText();
  return (stop) => {
    const { period, underWay } = stop;
    if (underWay === null) return text(`budgets.usedUp_${period.type}`);
    const [amount, next] = [amountText(underWay), amountText(nextStopOf(stop))];
    return amount === null || next === null
      ? text('budgets.underWayPlain')
      : text('budgets.underWay', { amount, next });
  };
}
