/**
 * The displayed author of a message, by its kind and origin. Its role is only for the model: a notice of
 * Skein is sent with the role `user`.
 */
import type { Translate } from '../../i18n';
import type { Message } from '../../ipc/bindings';

const authorKeys = {
  person: 'transcript.you',
  model: 'transcript.assistant',
  runtime: 'transcript.notice',
} as const;

export function authorLabel(
  text: Translate,
  { kind, origin }: Pick<Message, 'kind' | 'origin'>,
): string {
  switch (kind.type) {
    case 'chat':
      return text(authorKeys[origin]);
    case 'notice':
    case 'summary':
    case 'card':
      return text(`transcript.${kind.type}`);
  }
}
