/**
 * The share of a session's prompts that the provider's cache held, and why it was not used for the latest
 * reply. Nothing of these where no call reported it. Also: that prompts are kept for an hour.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { optional, queryKeys } from '../../state/queries/queries';
import { useCacheMissText } from '../../state/text/cacheMissText';
import { useShowsCosts } from '../../state/text/costText';

export function CacheUseNote({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const showsCosts = useShowsCosts();
  const missText = useCacheMissText();
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'cache'],
    queryFn: () => commands.cacheReport(sessionId),
    ...optional,
  });
  const { totals = null, miss = null, keepsHour = false } = data ?? {};
  const share = totals && formats.percent(totals.cached / totals.prompt);
  const notes = [
    totals && share && text('usage.cacheShare', { share, count: totals.calls }),
    totals && miss && missText(miss),
    totals && text('usage.cacheAbout'),
    keepsHour && showsCosts && text('usage.keepsHour'),
  ].filter((note) => typeof note === 'string');
  return notes.map((note) => (
    <p key={note} className="ContextDialog-note">
      {note}
    </p>
  ));
}
