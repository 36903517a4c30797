/**
 * Sums of calls as a table, each with a bar for its share of the tokens. The bar repeats the numbers beside
 * it: it is not read out.
 */
import { useFormats, useText } from '../../i18n';
import type { UsageKey, UsageTotal } from '../../ipc/bindings';
import { useModelName } from '../../state/models/useModelName';
import { useSettings } from '../../state/queries/queries';
import { moneyText, useShowsCosts } from '../../state/text/costText';
import './UsageTable.css';

type UsageTableProps = { totals: readonly UsageTotal[]; heading: string };

export function UsageTable({ totals, heading }: UsageTableProps) {
  const text = useText();
  const formats = useFormats();
  const nameOf = useKeyName();
  const costs = useShowsCosts();
  const tokens = (total: UsageTotal) => total.prompt + total.completion;
  const most = Math.max(1, ...totals.map(tokens));
  return (
    <div className="UsageTable">
      <table aria-label={text('usage.table')}>
        <thead>
          <tr>
            <th scope="col">{heading}</th>
            <th scope="col">{text('usage.calls')}</th>
            <th scope="col">{text('usage.prompt')}</th>
            <th scope="col">{text('usage.cached')}</th>
            <th scope="col">{text('usage.completion')}</th>
            {costs && <th scope="col">{text('usage.cost')}</th>}
          </tr>
        </thead>
        <tbody>
          {totals.map((total) => (
            <tr key={JSON.stringify(total.key)}>
              <th scope="row">
                {nameOf(total.key)}
                <svg
                  className="UsageTable-bar"
                  aria-hidden="true"
                  viewBox="0 0 100 4"
                  preserveAspectRatio="none"
                >
                  <rect width={(100 * tokens(total)) / most} height="4" />
                </svg>
              </th>
              <td>{formats.exact(total.calls)}</td>
              <td>{formats.exact(total.prompt)}</td>
              <td>{formats.exact(total.cached)}</td>
              <td>{formats.exact(total.completion)}</td>
              {costs && <td>{<CostCell total={total} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The known sum of each currency for itself, and how many calls it lacks. */
function CostCell({ total }: { total: UsageTotal }) {
  const text = useText();
  const formats = useFormats();
  const isFloor = total.atLeast > 0 || total.unknown > 0;
  const lines = total.money.map((money) => {
    const words = moneyText(text, formats, money);
    return isFloor && money.amount >= 1e8 ? text('usage.atLeast', { money: words }) : words;
  });
  if (total.unknown > 0) lines.push(text('usage.unknownCalls', { count: total.unknown }));
  if (total.notBilled > 0) lines.push(text('usage.notBilledCalls', { count: total.notBilled }));
  return (
    <>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </>
  );
}

function useKeyName(): (key: UsageKey) => string {
  const text = useText();
  const modelName = useModelName();
  const providers = useSettings().data?.settings.providers ?? [];
  const providerName = (id: string) => providers.find((it) => it.id === id)?.name ?? id;
  return (key) => {
    switch (key.type) {
      case 'day':
        return key.day;
      case 'model':
        return `${modelName(key.model)} · ${providerName(key.model.provider)}`;
      case 'provider':
        return providerName(key.provider);
      case 'session':
        if (key.isDeleted) return text('usage.deletedSession');
        return key.name ?? text('usage.unnamedSession');
      case 'noSession':
        return text('usage.noSession');
      case 'purpose':
        return text(`usage.purpose_${key.purpose}`);
    }
  };
}
