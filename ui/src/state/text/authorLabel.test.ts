import { expect, it } from 'vitest';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import type { Message } from '../../ipc/bindings';
import { authorLabel } from './authorLabel';

const text = ((key: string) => key) as Parameters<typeof authorLabel>[0];

it.each<[Partial<Message>, string]>([
  [{ role: 'user', origin: 'person' }, 'transcript.you'],
  [{ role: 'assistant', origin: 'model' }, 'transcript.assistant'],
  [
    {
      role: 'user',
      origin: 'runtime',
      kind: { type: 'notice', notice: { type: 'critical', remaining: 2 } },
    },
    'transcript.notice',
  ],
  [{ role: 'user', origin: 'runtime' }, 'transcript.notice'],
  [{ origin: 'model', kind: { type: 'summary' } }, 'transcript.summary'],
  [{ role: 'user', origin: 'runtime', kind: { type: 'card' } }, 'transcript.card'],
])('says who speaks by what it is and where it comes from: %o', (message, who) => {
  expect(authorLabel(text, assistantMessage(1, message))).toBe(who);
});
