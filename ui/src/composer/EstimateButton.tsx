/**
 * How full the window is with what is written; opens the dialog.
 */
import { useFormats, useText } from '../i18n';
import type { Draft, SessionId } from '../ipc/bindings';
import { useEstimate } from '../state/reading';

type EstimateButtonProps = { sessionId: SessionId; draft: Draft; onOpen: () => void };

export function EstimateButton({ sessionId, draft, onOpen }: EstimateButtonProps) {
  const text = useText();
  const formats = useFormats();
  const { data: estimate, isPlaceholderData } = useEstimate(sessionId, draft);
  const window = estimate?.window?.value;
  return (
    <button
      type="button"
      className="Composer-estimate"
      aria-label={text('context.estimate')}
      aria-busy={isPlaceholderData || undefined}
      title={
        estimate &&
        [estimate.used.tokens, window ?? null]
          .map((tokens) => (tokens === null ? '?' : formats.exact(tokens)))
          .join(' / ')
      }
      onClick={onOpen}
    >
      {estimate
        ? `${formats.tokens(estimate.used.tokens)} / ${window === undefined ? '?' : formats.tokens(window)}`
        : '…'}
    </button>
  );
}
