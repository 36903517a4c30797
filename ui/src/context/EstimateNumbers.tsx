/**
 * The numbers of the token estimate: used tokens, the limit, the thresholds of the strategy, and the cost of
 * the next message. Shown in the dialog and in the hover card of its button.
 */
import type { ReactNode } from 'react';
import { useFormats, useText } from '../i18n';
import type { ContextEstimate, SessionId, Strategy } from '../ipc/bindings';
import { Meter } from '../kit/display/Meter';
import { pendingContextAction } from '../state/queries/estimateQueries';
import { useHealthText } from '../state/text/useHealthText';
import { useShowsCosts } from '../state/text/costText';
import { NextMessageCostRows } from './NextMessageCostRows';
import './EstimateNumbers.css';

type EstimateNumbersProps = {
  sessionId: SessionId;
  /** Undefined: the first count is under way. */
  estimate: ContextEstimate | undefined;
  strategy: Strategy;
};

export function EstimateNumbers({ sessionId, estimate, strategy }: EstimateNumbersProps) {
  const text = useText();
  const formats = useFormats();
  const showsCosts = useShowsCosts();
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
  const { used, spread, limit, window, actsAt, priceStep = null } = estimate;
  const basis =
    spread === null || spread === 0
      ? text(`context.${used.basis}`)
      : text('context.estimatedWithin', { percent: spread });
  const usage = limit && formats.percent(used.tokens / limit.value);
  return (
    <>
      {rows(
        <>
          {tokens(used.tokens)}
          {aside(basis)}
        </>,
        limit ? (
          <>
            {tokens(limit.value)}
            {aside(text(`context.from_${limit.source}`))}
            {window !== null && (
              <>
                {' '}
                <small>{text('context.ofWindow', { tokens: formats.exact(window) })}</small>
              </>
            )}
          </>
        ) : (
          text('context.unknown')
        ),
        usage ?? text('context.unknown'),
      )}
      {limit && (
        <Meter
          label={text('context.meter')}
          value={used.tokens}
          max={limit.value}
          written={formats.percent(used.tokens / limit.value)}
          ticks={[actsAt, showsCosts ? priceStep : null].flatMap((at) =>
            at !== null && at <= limit.value ? [at] : [],
          )}
        />
      )}
      <ThresholdNote {...{ estimate, strategy }} />
      <HealthNote {...{ sessionId, estimate }} />
      <NextMessageCostRows cost={estimate.cost} />
    </>
  );
}

type ThresholdNoteProps = { estimate: ContextEstimate; strategy: Strategy };

/** The threshold of the next context action, and why it is later than it should be. */
function ThresholdNote({ estimate: { actsAt, actsShare, due }, strategy }: ThresholdNoteProps) {
  const text = useText();
  const formats = useFormats();
  const words = () => {
    if (due?.type === 'stuck') {
      const { floor, limit, instead } = due;
      const numbers = { floor: formats.exact(floor), limit: formats.exact(limit) };
      return instead === null
        ? text('context.stuck', numbers)
        : text('context.stuckUntil', { ...numbers, instead: formats.exact(instead) });
    }
    return actsAt === null
      ? null
      : text(`context.${strategy}At`, { tokens: formats.exact(actsAt) });
  };
  const said = words();
  if (said === null) return null;
  return (
    <p className="EstimateNumbers-acts">
      {actsAt !== null && <span aria-hidden="true">▲ </span>}
      {said}
      {actsShare !== null && (
        <small>
          {text('kit.aside', {
            words: text(strategy === 'summarize' ? 'context.ofAvailable' : 'context.ofPrompt', {
              percent: actsShare.percent,
              tokens: formats.exact(actsShare.of),
            }),
          })}
        </small>
      )}
    </p>
  );
}

type HealthNoteProps = { sessionId: SessionId; estimate: ContextEstimate };

function HealthNote({ sessionId, estimate }: HealthNoteProps) {
  const text = useText();
  const { name, reason } = useHealthText(sessionId, pendingContextAction(estimate));
  return (
    <p className="EstimateNumbers-acts">
      {text('context.health', { level: name })}
      <small>{text('kit.aside', { words: reason })}</small>
    </p>
  );
}

/** A placeholder for a number that is being counted. */
const counting = '…';
