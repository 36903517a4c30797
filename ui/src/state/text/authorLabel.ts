/**
 * Who speaks, by what a message is and where it really comes from. Its role says that to the model
 * alone: a notice of the program is sent as the person's.
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
