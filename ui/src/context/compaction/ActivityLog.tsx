/**
 * The automatic context actions of a thread with their numbers, newest first.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { AutomaticEvent, SessionId, ThreadId } from '../../ipc/bindings';
import { reminderEventText } from '../../state/text/noticeText';
import { queryKeys } from '../../state/queries/queries';
import './compaction.css';

type ActivityLogProps = { sessionId: SessionId; threadId: ThreadId };

export function ActivityLog({ sessionId, threadId }: ActivityLogProps) {
  const text = useText();
  const formats = useFormats();
  const { commands } = useBackend();
  const { data: log } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'log', threadId],
    queryFn: () => commands.automaticLog(threadId),
  });
  if (!log) return <p>{text('kit.loading')}</p>;
  if (log.length === 0) return <p className="Compactions-quiet">{text('compaction.logEmpty')}</p>;
  return (
    <ol className="AutomaticLog" aria-label={text('compaction.log')}>
      {log.toReversed().map(({ event, at }, index) => (
        <li key={log.length - index}>
          <time dateTime={new Date(at).toISOString()}>{formats.moment(at)}</time>
          <span>{eventText(text, event)}</span>
        </li>
      ))}
    </ol>
  );
}

/** The text of an event: a kind without one does not compile. */
function eventText(text: Translate, event: AutomaticEvent): string {
  switch (event.type) {
    case 'compacted':
      return text(event.local ? 'compaction.compactedLocally' : 'compaction.compacted', event);
    case 'notCompacted':
      return text('compaction.notCompacted', { reason: text(`errors.${event.reason}`) });
    case 'noProviderSummary':
      return text(noProviderSummary[event.reason], { model: event.model.model });
    case 'encryptedSummariesRejected':
      return text('compaction.encryptedRejected', { model: event.model.model });
    case 'notNamed':
      return text('compaction.notNamed');
    case 'stopped':
      return text('compaction.stopped');
    case 'stuck':
      return text('compaction.stuck', event);
    case 'archived':
      return text('compaction.archived', event);
    case 'reminded':
      return reminderEventText(text, event.remaining);
    case 'cleared':
      return text(clearedBy[event.by]);
    case 'outputWithheld':
      return text('compaction.outputWithheld', event);
    case 'outputCut':
      return text('compaction.outputCut', event);
    case 'limitLearned':
      return text('compaction.limitLearned', event);
    case 'silentOverflow':
      return text(
        event.how === 'noRoom' ? 'compaction.noRoom' : 'compaction.silentOverflow',
        event,
      );
    case 'factsRenewed':
      return text('compaction.factsRenewed', { count: event.points });
    case 'recalled':
      return text('compaction.recalled', { count: event.passages, tokens: event.tokens });
  }
}

const noProviderSummary = {
  refused: 'compaction.providerRefused',
  tooLong: 'compaction.providerTooLong',
  gainsTooLittle: 'compaction.providerGainsTooLittle',
  failed: 'compaction.providerFailed',
  overBudget: 'compaction.providerOverBudget',
} as const;

const clearedBy = {
  person: 'compaction.clearedByPerson',
  model: 'compaction.clearedByModel',
  countdown: 'compaction.clearedByCountdown',
} as const;
