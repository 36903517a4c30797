/**
 * The page "Usage": tokens and costs by day, model, provider, session or purpose. Currencies are
 * never added up. If costs are hidden, only tokens are shown.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { UsageGrouping } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Spinner } from '../../kit/display/Spinner';
import { Row, Stack } from '../../kit/display/Stack';
import { Select } from '../../kit/fields/Select';
import { Switch } from '../../kit/fields/Switch';
import { useReportErrorToast, type SessionSettingsPageProps } from '../useSaveSettings';
import { useToast } from '../../kit/notifications/Toast';
import { BudgetSettings } from './BudgetSettings';
import { UsageTable } from './UsageTable';

const groupings: readonly UsageGrouping[] = ['day', 'model', 'provider', 'session', 'purpose'];
const periods = ['week', 'month', 'all'] as const;
type Period = (typeof periods)[number];
const days: Record<Period, number | null> = { week: 7, month: 30, all: null };

/** Midnight of the first of so many days, this one included, in ms since 1970. */
function firstOf(count: number | null): number {
  if (count === null) return 0;
  const day = new Date();
  day.setHours(0, 0, 0, 0);
  day.setDate(day.getDate() - count + 1);
  return day.getTime();
}

export function UsagePage({ settings, save, session }: SessionSettingsPageProps) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const attempt = useReportErrorToast();
  const toast = useToast();
  const [by, setBy] = useState<UsageGrouping>('day');
  const [period, setPeriod] = useState<Period>('month');
  const since = firstOf(days[period]);
  const { data: totals } = useQuery({
    queryKey: ['usageTotals', by, since],
    queryFn: () => commands.usageTotals(by, since),
    staleTime: 0,
  });
  const takeOut = async () => {
    const kind = { name: text('usage.csv'), endings: ['csv'] };
    const path = await desktop.pickTarget(text('usage.exportTitle'), 'skein-usage.csv', [kind]);
    if (path === null) return;
    await commands.exportUsage(path);
    toast({ words: text('data.exported', { path }) });
  };
  return (
    <Stack>
      <Switch
        label={text('usage.show')}
        hint={text('usage.showHint')}
        checked={settings.showCosts}
        onChange={(showCosts) => {
          save((old) => ({ ...old, showCosts }));
        }}
      />
      <BudgetSettings {...{ settings, save, session }} />
      <section aria-label={text('usage.table')}>
        <Stack>
          <h3>{text('usage.table')}</h3>
          <Select
            label={text('usage.period')}
            value={period}
            options={periods.map((value) => ({ value, label: text(`usage.period_${value}`) }))}
            onChange={setPeriod}
          />
          <Select
            label={text('usage.by')}
            value={by}
            options={groupings.map((value) => ({ value, label: text(`usage.by_${value}`) }))}
            onChange={setBy}
          />
          {!totals && <Spinner>{text('kit.loading')}</Spinner>}
          {totals?.length === 0 && <p>{text('usage.nothing')}</p>}
          {totals && totals.length > 0 && (
            <UsageTable totals={totals} heading={text(`usage.by_${by}`)} />
          )}
          {settings.showCosts && (
            <Row>
              <Button
                icon="download"
                onClick={() => {
                  attempt(takeOut());
                }}
              >
                {text('usage.export')}
              </Button>
            </Row>
          )}
        </Stack>
      </section>
    </Stack>
  );
}
