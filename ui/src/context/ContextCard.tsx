/**
 * The card that `/context` posts: the context breakdown at that moment, and what could leave the context now.
 * It is never sent to a model.
 */
import { useText } from '../i18n';
import type { Breakdown, SessionId } from '../ipc/bindings';
import { BreakdownTable } from './breakdown/BreakdownTable';
import { DeferredToolsNote } from './breakdown/DeferredToolsNote';
import { SupersededReadsNote } from './breakdown/SupersededReadsNote';
import { ContextSavings } from './savings/ContextSavings';
import './ContextDialog.css';

type ContextCardProps = {
  breakdown: Breakdown;
  /** The session whose context can be changed from here; `null`: the card belongs to an earlier thread. */
  sessionId: SessionId | null;
};

export function ContextCard({ breakdown, sessionId }: ContextCardProps) {
  const text = useText();
  const { deferredTools = null } = breakdown;
  return (
    <>
      <BreakdownTable breakdown={breakdown} />
      {deferredTools && <DeferredToolsNote report={deferredTools} />}
      <SupersededReadsNote breakdown={breakdown} />
      {sessionId !== null && <ContextSavings sessionId={sessionId} />}
      <p className="ContextDialog-note">{text('breakdown.onlyYou')}</p>
    </>
  );
}
