/**
 * The context breakdown (Q01–Q14): rows that add up to the context window, each with its parts.
 */
import { useFormats, useText } from '../../i18n';
import type { Breakdown, BreakdownMode, BreakdownPart, BreakdownRow } from '../../ipc/bindings';
import { Disclosure } from '../../kit/controls/Disclosure';
import { useShowsCosts } from '../../state/text/costText';
import { BreakdownBar } from './BreakdownBar';

export function BreakdownTable({ breakdown }: { breakdown: Breakdown }) {
  const text = useText();
  const formats = useFormats();
  const showsCosts = useShowsCosts();
  const { mode, priceStep = null } = breakdown;
  return (
    <>
      <p className="ContextDialog-note">
        {mode.type === 'reported'
          ? text('breakdown.reportedTotal', { total: formats.exact(mode.total) }) +
            (mode.cached === null
              ? ''
              : ` · ${text('breakdown.cached', { cached: formats.exact(mode.cached) })}`)
          : text('breakdown.noReport')}
      </p>
      {mode.type === 'reported' && (
        <p className="ContextDialog-note">{text('breakdown.partsEstimated')}</p>
      )}
      {breakdown.assumed && (
        <p className="ContextDialog-note">
          {text('breakdown.assumedWindow', { tokens: formats.exact(breakdown.window) })}
        </p>
      )}
      <BreakdownBar breakdown={breakdown} />
      {showsCosts && priceStep !== null && (
        <p className="ContextDialog-note">
          {text('breakdown.priceStep', { tokens: formats.exact(priceStep) })}
        </p>
      )}
      <table className="Breakdown" aria-label={text('context.breakdown')}>
        <thead>
          <tr>
            <th scope="col">{text('breakdown.category')}</th>
            <th scope="col">{text('breakdown.tokensColumn')}</th>
            <th scope="col">{text('breakdown.share')}</th>
          </tr>
        </thead>
        <tbody>
          {breakdown.rows.map((row) => (
            <BreakdownRow key={row.kind} row={row} mode={mode} window={breakdown.window} />
          ))}
          {breakdown.over > 0 && (
            <tr>
              <th scope="row">
                <span className="Breakdown-name">{text('context.over')}</span>
              </th>
              <td>{formats.exact(breakdown.over)}</td>
              <td />
            </tr>
          )}
        </tbody>
      </table>
    </>
  );
}

type BreakdownRowProps = { row: BreakdownRow; mode: BreakdownMode; window: number };

function BreakdownRow({ row, mode, window }: BreakdownRowProps) {
  const text = useText();
  const formats = useFormats();
  const name = (
    <span>
      <span className="Breakdown-mark" data-kind={row.kind} />
      {text(`context.${row.kind}`)}
      {row.kind === 'messages' && mode.type === 'estimated' && (
        <small>{text('kit.aside', { words: text('context.calibrated') })}</small>
      )}
    </span>
  );
  return (
    <tr>
      <th scope="row">
        {row.kind === 'freeSpace' || row.kind === 'autocompactBuffer' ? (
          <Disclosure label={name}>
            <p className="Breakdown-about">{text(`breakdown.about_${row.kind}`)}</p>
          </Disclosure>
        ) : row.parts.length === 0 ? (
          <span className="Breakdown-name">{name}</span>
        ) : (
          <Disclosure label={name}>
            <ul className="Breakdown-parts">
              {row.parts.map((part, at) => (
                <li key={at}>
                  <BreakdownPartName part={part} /> <span>{formats.exact(part.tokens)}</span>
                </li>
              ))}
            </ul>
          </Disclosure>
        )}
      </th>
      <td>{formats.exact(row.tokens)}</td>
      <td>
        {formats.percent(row.tokens / window)}
        <span className="Breakdown-bar">
          <span
            data-kind={row.kind}
            style={{ width: `${Math.min(100, (row.tokens / window) * 100)}%` }}
          />
        </span>
      </td>
    </tr>
  );
}

function BreakdownPartName({ part }: { part: BreakdownPart }) {
  const text = useText();
  return part.label.type === 'named' ? part.label.name : text(`breakdown.part_${part.label.type}`);
}
