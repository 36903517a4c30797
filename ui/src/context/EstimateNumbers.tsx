/**
 * What the estimate says: how much is used of how much, and where something happens by itself. The
 * same in the dialog and in the preview that the button shows of it.
 */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../i18n';
import type { Estimate, Strategy } from '../ipc/bindings';
import { Meter } from '../kit/Meter';
import './EstimateNumbers.css';

type EstimateNumbersProps = {
  /** Absent while it is counted for the first time. */
  estimate: Estimate | undefined;
  strategy: Strategy;
};

export function EstimateNumbers({ estimate, strategy }: EstimateNumbersProps) {
  const text = useText();
  const formats = useFormats();
  const tokens = (count: number) => text('context.tokens', { tokens: formats.exact(count) });
  const aside = (words: string) => <small>{text('kit.aside', { words })}</small>;
  const rows = (current: ReactNode, limit: ReactNode, usage: ReactNode) => (
    <dl className="EstimateNumbers">
      <dt>{text('context.current')}</dt>
      <dd>{current}</dd>
      <dt>{text('context.limit')}</dt>
      <dd>{limit}</dd>
      <dt>{text('context.usage')}</dt>
      <dd>{usage}</dd>
    </dl>
  );
  if (!estimate) return rows(counting, counting, counting);
  const { used, spread, window, actsAt } = estimate;
  const basis =
    spread === null
      ? text(`context.${used.basis}`)
      : text('context.estimatedWithin', { percent: spread });
  const usage = window && formats.percent(used.tokens / window.value);
  return (
    <>
      {rows(
        <>
          {tokens(used.tokens)}
          {aside(basis)}
        </>,
        window ? (
          <>
            {tokens(window.value)}
            {aside(text(`context.from_${window.source}`))}
          </>
        ) : (
          text('context.unknown')
        ),
        usage ?? text('context.unknown'),
      )}
      {window && (
        <Meter
          label={text('context.meter')}
          value={used.tokens}
          max={window.value}
          written={formats.percent(used.tokens / window.value)}
          ticks={actsAt === null ? [] : [actsAt]}
        />
      )}
      {actsAt !== null && (
        <p className="EstimateNumbers-acts">
          {text(`context.${strategy}At`, { tokens: formats.exact(actsAt) })}
        </p>
      )}
    </>
  );
}

/** Stands for a figure that is being counted, in each of its places. */
const counting = '…';
