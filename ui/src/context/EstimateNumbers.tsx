/**
 * What the estimate says: how much is used of how much, and where something happens by itself. The
 * same in the dialog and in the preview that the button shows of it.
 */
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
  const window = estimate?.window;
  const actsAt = estimate?.actsAt ?? null;
  const used = estimate?.used.tokens ?? 0;
  const tokens = (count: number) => text('context.tokens', { tokens: formats.exact(count) });
  return (
    <>
      <dl className="EstimateNumbers">
        <dt>{text('context.current')}</dt>
        <dd>
          {tokens(used)} {estimate && <small>({text(`context.${estimate.used.basis}`)})</small>}
        </dd>
        <dt>{text('context.limit')}</dt>
        <dd>
          {window ? (
            <>
              {tokens(window.value)} <small>({text(`context.from${upper(window.source)}`)})</small>
            </>
          ) : (
            text('context.unknown')
          )}
        </dd>
        <dt>{text('context.usage')}</dt>
        <dd>{window ? formats.percent(used / window.value) : text('context.unknown')}</dd>
      </dl>
      {window && (
        <Meter
          label={text('context.meter')}
          value={used}
          max={window.value}
          written={formats.percent(used / window.value)}
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

const upper = <Word extends string>(word: Word) =>
  (word.charAt(0).toUpperCase() + word.slice(1)) as Capitalize<Word>;
