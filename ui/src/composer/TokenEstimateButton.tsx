/**
 * The tokens of the next prompt, with the draft, and its limit. The button has the short numbers, its hover
 * card all of them, and a click opens the context dialog. The button also names the context action that the
 * next message triggers, and the tokens above the limit.
 */
import { useId, type ReactNode } from 'react';
import { useFormats, useText } from '../i18n';
import type { Draft, ContextEstimate, SessionId } from '../ipc/bindings';
import { Icon } from '../kit/controls/Icon';
import { HoverCard } from '../kit/layers/HoverCard';
import { popupRole } from '../kit/layers/popupRole';
import { VisuallyHidden } from '../kit/a11y/VisuallyHidden';
import { pendingContextAction, useEstimate } from '../state/queries/estimateQueries';
import { useDebounced } from '../state/hooks/useDebounced';

/** A shorter count shows no spinner, in ms: it would flicker with every word. */
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
  const isCounting = useDebounced(isFetching, spinnerDelayMs) && isFetching;
  const usage = (format: (tokens: number) => string) =>
    estimate &&
    [estimate.used.tokens, estimate.limit?.value]
      .map((tokens) => (tokens === undefined ? '?' : format(tokens)))
      .join(' / ');
  const over = excessTokens(estimate);
  const due = pendingContextAction(estimate);
  const state = over === null ? due : 'over';
  const dueLabels = due === null ? [] : [text(`context.${due}Due`)];
  const overLabels = (format: (tokens: number) => string) =>
    over === null ? [] : [text('context.overBy', { tokens: format(over) })];
  const [warning] = [...overLabels(formats.tokens), ...dueLabels];
  const button = (
    <button
      type="button"
      className="Composer-estimate"
      aria-label={text('context.estimate')}
      aria-describedby={id}
      {...popupRole('dialog')}
      aria-busy={isCounting || undefined}
      data-state={state ?? undefined}
      onClick={onOpen}
    >
      <span>{usage(formats.tokens) ?? '…'}</span>
      {state === 'over' && <Icon name="warning" />}
      {warning !== undefined && (
        <span className="Composer-estimateWarning" data-wide>
          {warning}
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
          {[usage(formats.exact), ...overLabels(formats.exact), ...dueLabels].join(' · ')}
        </span>
      </VisuallyHidden>
    </>
  );
}

/** The tokens above the prompt limit; null: the prompt fits, or the limit is unknown. */
function excessTokens(estimate: ContextEstimate | undefined): number | null {
  if (!estimate?.limit) return null;
  const over = estimate.used.tokens - estimate.limit.value;
  return over > 0 ? over : null;
}
