/**
 * The text for the limit at which a provider ended a reply.
 */
import type { Formats, Translate } from '../../i18n';
import type { StopReason } from '../../ipc/bindings';

type Language = { text: Translate; formats: Formats };

export function truncationText(
  at: StopReason,
  isEmpty: boolean,
  { text, formats }: Language,
): string {
  switch (at.type) {
    case 'window':
      return text('transcript.endedWindow');
    case 'filter':
      return text(isEmpty ? 'transcript.endedFilterWhole' : 'transcript.endedFilter');
    case 'output': {
      if (!at.shortened) return text('transcript.endedOutput');
      const tokens = formats.exact(at.shortened.tokens);
      return text(outputCapKeys[at.shortened.by], { tokens });
    }
  }
}

const outputCapKeys = {
  window: 'transcript.endedShortWindow',
  allowance: 'transcript.endedShortAllowance',
} as const;
