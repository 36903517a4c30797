/**
 * The notices that Skein writes into a conversation, in the user's language.
 */
import type { Translate } from '../../i18n';
import type { Notice } from '../../ipc/bindings';

export function noticeText(text: Translate, notice: Notice): string {
  switch (notice.type) {
    case 'caution':
      return text('transcript.noticeCaution', { prompt: notice.prompt, optimal: notice.optimal });
    case 'critical':
      return notice.remaining === 0
        ? text('transcript.noticeLast')
        : text('transcript.noticeCritical', { count: notice.remaining });
    case 'archived':
      return text('transcript.noticeArchived', { percent: notice.percent });
    case 'cleared':
      return text(
        notice.localPackage ? 'transcript.noticeClearedLocal' : 'transcript.noticeCleared',
      );
  }
}

/** The same for the activity log. `remaining`: replies until a new thread begins; null: none is due. */
export function reminderEventText(text: Translate, remaining: number | null): string {
  if (remaining === null) return text('compaction.reminded');
  if (remaining === 0) return text('compaction.remindedLast');
  return text('compaction.remindedOf', { count: remaining });
}
