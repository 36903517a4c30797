/**
 * How full the window is with what is written: its numbers in short on the button, in full where the
 * pointer rests on it or the keyboard comes to it; pressed, it opens the dialog.
 */
import { useId, type ReactNode } from 'react';
import { useFormats, useText } from '../i18n';
import type { Draft, Estimate, SessionId } from '../ipc/bindings';
import { Preview } from '../kit/Preview';
import { VisuallyHidden } from '../kit/VisuallyHidden';
import { useEstimate } from '../state/reading';

type EstimateButtonProps = {
  sessionId: SessionId;
  draft: Draft;
  numbers: (estimate: Estimate | undefined) => ReactNode;
  onOpen: () => void;
};

export function EstimateButton({ sessionId, draft, numbers, onOpen }: EstimateButtonProps) {
  const id = useId();
  const text = useText();
  const formats = useFormats();
  const { data: estimate, isPlaceholderData } = useEstimate(sessionId, draft);
  const written = (inWords: (tokens: number) => string) =>
    estimate &&
    [estimate.used.tokens, estimate.window?.value]
      .map((tokens) => (tokens === undefined ? '?' : inWords(tokens)))
      .join(' / ');
  const button = (
    <button
      type="button"
      className="Composer-estimate"
      aria-label={text('context.estimate')}
      aria-describedby={id}
      aria-haspopup="dialog"
      aria-busy={isPlaceholderData || undefined}
      onClick={onOpen}
    >
      {written(formats.tokens) ?? '…'}
    </button>
  );
  return (
    <>
      <Preview label={text('context.estimate')} trigger={button}>
        {numbers(estimate)}
      </Preview>
      <VisuallyHidden>
        <span id={id}>{written(formats.exact)}</span>
      </VisuallyHidden>
    </>
  );
}
