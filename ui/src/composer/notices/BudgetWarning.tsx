/**
 * A quiet line while a budget is nearly used up, once for each stop: dismissed, it does not come back before
 * another one is near.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { BudgetReport, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useToast } from '../../kit/notifications/Toast';
import { useBudgets } from '../../state/queries/budgetQueries';
import { isFloorOf, useSpentText } from '../../state/text/budgetText';
import { useReportError } from '../../state/text/useReportError';

export function BudgetWarning({ sessionId }: { sessionId: SessionId }) {
  const { data: budgets = [], refetch } = useBudgets(sessionId);
  return budgets.map((report) => (
    <WarningLine
      key={JSON.stringify([report.scope, report.gauges[0]?.limit])}
      {...{ report, refetch }}
    />
  ));
}

type WarningLineProps = { report: BudgetReport; refetch: () => Promise<unknown> };

function WarningLine({ report, refetch }: WarningLineProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const spentText = useSpentText();
  const { warning, period } = report;
  const spent = warning && spentText(warning, isFloorOf(report, warning));
  if (!warning || spent === null) return null;
  return (
    <p role="status" className="Composer-notice">
      {`${text(`budgets.near_${report.scope}`)} ${spent}`}{' '}
      <Button
        kind="quiet"
        onClick={() => {
          reportError(commands.dismissBudgetWarning(period, warning.stop).then(() => refetch()));
        }}
      >
        {text('kit.dismiss')}
      </Button>
    </p>
  );
}
