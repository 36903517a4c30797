/**
 * The card that `/context` posts: the context breakdown at that moment. It is never sent to a model.
 */
import { useText } from '../i18n';
import type { Breakdown } from '../ipc/bindings';
import { BreakdownTable } from './breakdown/BreakdownTable';
import { DeferredToolsNote } from './breakdown/DeferredToolsNote';
import './ContextDialog.css';

export function ContextCard({ breakdown }: { breakdown: Breakdown }) {
  const text = useText();
  const { deferredTools = null } = breakdown;
  return (
    <>
      <BreakdownTable breakdown={breakdown} />
      {deferredTools && <DeferredToolsNote report={deferredTools} />}
      <p className="ContextDialog-note">{text('context.onlyYou')}</p>
    </>
  );
}
