import { act, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test-show';
import type { ContentPart, Message } from '../ipc/bindings';
import { AnnouncerProvider } from '../kit/Announcer';
import { turns } from '../state/turn';
import { useAnnouncedReplies } from './announcing';

const reply = (id: number, ...parts: ContentPart[]): Message => ({
  id,
  threadId: 1,
  parentId: null,
  kind: { type: 'chat' },
  role: 'assistant',
  origin: 'model',
  parts,
  state: { type: 'complete' },
  pinned: false,
  model: null,
  createdAt: 0,
});

function Listening() {
  useAnnouncedReplies(1, 1);
  return null;
}

it('reads nothing aloud of a reply that only calls tools, and goes on with what was being read', async () => {
  show(
    <AnnouncerProvider>
      <Listening />
    </AnnouncerProvider>,
  );
  const live = (...messages: Message[]) => {
    act(() => {
      turns.set(1, { ...turns.get(1), live: messages });
    });
  };
  const words = reply(1, { type: 'text', text: 'I look it up.' });
  live(words);
  const said = await screen.findByText('Assistant: I look it up.');
  const call = {
    callId: 'a',
    name: 'grep',
    args: '{}',
    state: { type: 'pending' as const },
    signature: null,
  };
  live(words, reply(2, { type: 'tool', call }));
  expect(said).toBeInTheDocument();
  live(words, reply(3, { type: 'text', text: 'Found.' }));
  expect(await screen.findByText('Assistant: Found.')).toBeInTheDocument();
});
