/**
 * How full the window is with what is written: its numbers in short on the button, in full where the
 * pointer rests on it or the keyboard comes to it; pressed, it opens the dialog. Quiet as long as the
 * next message would change nothing; then it says what is due, which the health beside it has as a picture,
 * and by how much what a prompt may take is passed.
 */
import { useId, type ReactNode } from 'react';
import { useFormats, useText } from '../i18n';
import type { Draft, ContextEstimate, SessionId } from '../ipc/bindings';
import { Icon } from '../kit/controls/Icon';
import { HoverCard } from '../kit/layers/HoverCard';
import { VisuallyHidden } from '../kit/a11y/VisuallyHidden';
import { useEstimate } from '../state/queries/queries';
import { useDebounced } from '../state/hooks/useDebounced';

/** A count that is done sooner is not shown to be made, in ms: it would flicker with every word. */
const spinnerDelayMs = 200;

type TokenEstimateButtonProps = {
  sessionId: SessionId;
  draft: Draft;
  numbers: (estimate: ContextEstimate | undefined) => ReactNode;
  onOpen: () => void;
};

export function TokenEstimateButton(props: TokenEstimateButtonProps) {
  const { sessionId, draft, numbers, onOpen } = props;
  const id = useId();
  const text = useText();
  const formats = useFormats();
  const { data: estimate, isFetching } = useEstimate(sessionId, draft);
  const isCounted = useDebounced(isFetching, spinnerDelayMs) && isFetching;
  const written = (inWords: (tokens: number) => string) =>
    estimate &&
    [estimate.used.tokens, estimate.limit?.value]
      .map((tokens) => (tokens === undefined ? '?' : inWords(tokens)))
      .join(' / ');
  const over = excessTokens(estimate);
  const due = pendingContextAction(estimate);
  const state = over === null ? due : 'over';
  const dueWords = due === null ? [] : [text(`context.${due}Due`)];
  const overWords = (inWords: (tokens: number) => string) =>
    over === null ? [] : [text('context.overBy', { tokens: inWords(over) })];
  const [matters] = [...overWords(formats.tokens), ...dueWords];
  const button = (
    <button
      type="button"
      className="Composer-estimate"
      aria-label={text('context.estimate')}
      aria-describedby={id}
      aria-haspopup="dialog"
      aria-busy={isCounted || undefined}
      data-state={state ?? undefined}
      onClick={onOpen}
    >
      <span>{written(formats.tokens) ?? '…'}</span>
      {state === 'over' && <Icon name="warning" />}
      {matters !== undefined && (
        <span className="Composer-matters" data-wide>
          {matters}
        </span>
      )}
    </button>
  );
  return (
    <>
      <HoverCard label={text('context.estimate')} trigger={button}>
        {numbers(estimate)}
      </HoverCard>
      <VisuallyHidden>
        <span id={id}>
          {[written(formats.exact), ...overWords(formats.exact), ...dueWords].join(' · ')}
        </span>
      </VisuallyHidden>
    </>
  );
}

/** By how many tokens more than a prompt may take is used; null: it fits, or nobody knows. */
function excessTokens(estimate: ContextEstimate | undefined): number | null {
  if (!estimate?.limit) return null;
  const over = estimate.used.tokens - estimate.limit.value;
  return over > 0 ? over : null;
}

/** What the next message sets off. That nothing does although it is time, the numbers say. */
export function pendingContextAction(estimate: ContextEstimate | undefined) {
  const due = estimate?.due?.type ?? null;
  return due === 'stuck' ? null : due;
}
