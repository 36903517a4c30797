/**
 * The history of a thread's context health: the reported prompt of each reply, with the limit and the two
 * thresholds. The chart has a description, and a table with its numbers.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { HealthPoint, HealthSnapshot, SessionId, ThreadId } from '../ipc/bindings';
import { Disclosure } from '../kit/controls/Disclosure';
import { Table } from '../kit/display/Table';
import { queryKeys, required, useHealth } from '../state/queries/queries';
import './HealthChart.css';

/** The number of replies that are drawn and listed. */
const maxPoints = 60;
const [width, height] = [600, 96];

type HealthChartProps = { sessionId: SessionId; threadId: ThreadId };

export function HealthChart({ sessionId, threadId }: HealthChartProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: health } = useHealth(sessionId, required);
  const { data: points } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'history', threadId],
    queryFn: () => commands.healthHistory(threadId, maxPoints),
  });
  if (!health || !points) return <p>{text('kit.loading')}</p>;
  const reported = points.some(({ health }) => health.prompt !== null);
  const last = points.at(-1)?.health.prompt ?? null;
  return (
    <div className="HealthChart">
      {reported ? <HealthChartSvg points={points} /> : <p>{text('healthChart.chartNone')}</p>}
      {last !== null && health.latest.prompt === null && (
        <p className="ContextDialog-note">{text('healthChart.forgotten')}</p>
      )}
      {points.length > 0 && (
        <Disclosure label={text('healthChart.table')}>
          <HealthTable points={points} />
        </Disclosure>
      )}
    </div>
  );
}

function HealthChartSvg({ points }: { points: readonly HealthPoint[] }) {
  const text = useText();
  const { exact, tokens } = useFormats();
  const prompts = points.flatMap(({ health }) => health.prompt ?? []);
  const highest = Math.max(...prompts);
  const latest = points.at(-1)?.health;
  const lines = thresholdLines(latest);
  const top = Math.max(highest, ...lines.map(({ at }) => at)) * 1.05;
  const y = (value: number) => height - (value / top) * height;
  const step = width / Math.max(points.length, 12);
  const described = text('healthChart.chart', {
    count: prompts.length,
    first: exact(prompts[0] ?? 0),
    last: exact(prompts.at(-1) ?? 0),
    highest: exact(highest),
  });
  return (
    <figure>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={described}
      >
        {points.map(({ at, health }, index) => (
          <rect
            key={`${at}/${index}`}
            x={index * step + step * 0.15}
            width={step * 0.7}
            y={y(health.prompt ?? 0)}
            height={height - y(health.prompt ?? 0)}
            data-level={health.level}
          />
        ))}
        {lines.map(({ name, at }) => (
          <line key={name} x1="0" x2={width} y1={y(at)} y2={y(at)} data-line={name} />
        ))}
      </svg>
      <figcaption>
        {lines.map(({ name, at }) => (
          <span key={name} data-line={name} title={text('context.tokens', { tokens: exact(at) })}>
            {text(`health.${name}`, { tokens: tokens(at) })}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** The limit and thresholds for the latest reply. */
function thresholdLines(latest: HealthSnapshot | undefined) {
  const { optimal = null, critical = null, limit = null } = latest ?? {};
  const known = { optimal, critical, limit };
  return (['optimal', 'critical', 'limit'] as const).flatMap((name) => {
    const at = known[name];
    return at === null ? [] : [{ name, at }];
  });
}

function HealthTable({ points }: { points: readonly HealthPoint[] }) {
  const text = useText();
  const { exact, percent, moment } = useFormats();
  const orNot = (value: number | null) =>
    value === null ? text('healthChart.unreported') : exact(value);
  return (
    <>
      <p className="ContextDialog-note">{text('healthChart.latest', { count: points.length })}</p>
      <Table label={text('healthChart.table')}>
        <thead>
          <tr>
            <th scope="col">{text('healthChart.when')}</th>
            <th scope="col" className="number">
              {text('healthChart.prompt')}
            </th>
            <th scope="col" className="number">
              {text('healthChart.share')}
            </th>
            <th scope="col" className="number">
              {text('healthChart.cached')}
            </th>
            <th scope="col">{text('healthChart.level')}</th>
          </tr>
        </thead>
        <tbody>
          {points.toReversed().map(({ at, health, cached }, index) => (
            <tr key={`${at}/${index}`}>
              <th scope="row">{moment(at)}</th>
              <td className="number">{orNot(health.prompt)}</td>
              <td className="number">
                {health.hardUtil === null ? text('context.unknown') : percent(health.hardUtil)}
              </td>
              <td className="number">{orNot(cached)}</td>
              <td>{text(`context.${health.level}`)}</td>
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
