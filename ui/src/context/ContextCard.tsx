/**
 * The card that `/context` posts: the context breakdown at that moment. It is never sent to a model.
 */
import { useText } from '../i18n';
import type { Breakdown, Message } from '../ipc/bindings';
import { BreakdownTable } from './breakdown/BreakdownTable';
import './ContextDialog.css';

export function ContextCard({ message }: { message: Message }) {
  const text = useText();
  const part = message.parts[0];
  if (part?.type !== 'text') return null;
  return (
    <>
      <BreakdownTable breakdown={JSON.parse(part.text) as Breakdown} />
      <p className="ContextDialog-note">{text('context.onlyYou')}</p>
    </>
  );
}
