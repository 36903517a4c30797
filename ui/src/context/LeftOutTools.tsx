/**
 * The tools of servers that are on and not sent, because all servers together have no room for them.
 */
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { escapeInvisible } from '../kit/text/invisibleChars';
import { optional } from '../state/queries/queries';
import { useTools } from '../state/queries/toolQueries';

export function LeftOutTools({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const { data: tools } = useTools(sessionId, optional);
  const leftOut = tools?.filter((tool) => tool.leftOut) ?? [];
  if (leftOut.length === 0) return null;
  const names = leftOut.map(({ name }) => escapeInvisible(name)).join(', ');
  return <p className="ContextDialog-note">{text('sentTools.toolsLeftOut', { names })}</p>;
}
