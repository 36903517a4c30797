/**
 * The card that `/context` posts: the context breakdown at that moment. It is never sent to a model.
 */
import { useText } from '../i18n';
import type { Breakdown } from '../ipc/bindings';
import { BreakdownTable } from './breakdown/BreakdownTable';
import './ContextDialog.css';

export function ContextCard({ breakdown }: { breakdown: Breakdown }) {
  const text = useText();
  return (
    <>
      <BreakdownTable breakdown={breakdown} />
      <p className="ContextDialog-note">{text('context.onlyYou')}</p>
    </>
  );
}
