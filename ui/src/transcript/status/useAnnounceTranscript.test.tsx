import { act } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { defaultSettings } from '../../../test/fixtures/defaultSettings';
import { fakeBackend, settingsViewOf } from '../../../test/fakeBackend';
import { renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type { ContentPart, Message, ReplySpeech } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { turnStore } from '../../state/turn/turnStore';
import {
  useAnnounceNotices,
  useAnnounceReplies,
  useAnnounceSending,
} from './useAnnounceTranscript';

const reply = (id: number, ...parts: ContentPart[]) => assistantMessage(id, { parts });

function Listening() {
  const [turnAtOpening] = useState(() => turnStore.get(1));
  useAnnounceSending(1, turnAtOpening);
  useAnnounceReplies(1, 1, turnAtOpening);
  useAnnounceNotices(1);
  return null;
}

const grep = (callId: string): ContentPart => ({
  type: 'tool',
  call: { callId, name: 'grep', args: '{}', state: { type: 'pending' }, signature: null },
});

const live = (...messages: Message[]) => {
  act(() => {
    turnStore.set(1, { ...turnStore.get(1), live: messages });
  });
};

/** The text announced at this moment. */
function listen(backend?: Backend) {
  live();
  renderPart(
    <LiveRegionProvider>
      <Listening />
    </LiveRegionProvider>,
    backend,
  );
  return () => document.querySelector('[aria-live]')?.textContent;
}

it('reads a reply aloud as words, and names its tools once', () => {
  const said = listen();
  const words = reply(1, { type: 'text', text: 'The **wool** is red.' });
  live({ ...words, state: { type: 'streaming' } });
  expect(said()).toBe('');
  live(words);
  expect(said()).toBe('Assistant: The wool is red.');
  const both = reply(2, { type: 'text', text: 'I look it up.' }, grep('a'), grep('b'));
  live(words, both);
  expect(said()).toBe('Assistant: I look it up.\nTool: grep');
});

it('says of a reply that only calls a tool its name, once, and of one that says nothing, nothing', () => {
  const said = listen();
  act(() => {
    turnStore.begin(1);
  });
  const calls = reply(1, grep('a'));
  live(calls);
  expect(said()).toBe('Tool: grep');
  const answered = reply(1, grep('a'));
  live(answered);
  live(answered, reply(2, { type: 'reasoning', text: 'Hm.', signature: null }));
  expect(said()).toBe('Tool: grep');
  live(answered, reply(3, { type: 'text', text: 'Found.' }));
  expect(said()).toBe('Assistant: Found.');
});

const wool: ContentPart = { type: 'text', text: 'Wool is' };

it.each<[Message['state'], string]>([
  [{ type: 'interrupted' }, 'Interrupted. What had arrived is kept.'],
  [{ type: 'ended', at: { type: 'window' } }, 'Cut off: the window is full.'],
  [{ type: 'failed', error: 'timeout' }, 'timeout'],
])('says behind the words of a reply how it ended: $type', (state, ending) => {
  const said = listen();
  live({ ...reply(1, wool), state });
  expect(said()).toContain('Assistant: Wool is\n');
  expect(said()).toContain(ending);
});

it('says that a model ended without a word once it will say none', () => {
  const said = listen();
  act(() => {
    turnStore.begin(1);
  });
  const mute = reply(1, { type: 'reasoning', text: 'Hm.', signature: null });
  live(mute);
  expect(said()).toBe('');
  act(() => {
    turnStore.set(1, { ...turnStore.get(1), running: false });
  });
  expect(said()).toBe('The model ended without a word.');
});

it('says what the program did by itself, in whichever thread, once', () => {
  const said = listen();
  const notice: Message = {
    ...reply(5),
    threadId: 2,
    role: 'user',
    kind: { type: 'notice', notice: { type: 'cleared', by: 'countdown', localPackage: false } },
  };
  live(notice);
  expect(said()).toBe('A new thread began with an empty context; the reminders came along.');
  live(notice, { ...reply(6, wool), state: { type: 'streaming' } });
  live(notice, reply(6, wool));
  expect(said()).toBe('Assistant: Wool is');
});

it('h01_says_once_that_a_message_was_sent', () => {
  const said = listen();
  act(() => {
    turnStore.begin(1);
  });
  expect(said()).toBe('Message sent.');
});

it.each<[ReplySpeech, string]>([
  ['beginning', 'Assistant: The wool is red.'],
  ['ending', 'The reply is finished.'],
])('h01_reads_as_much_of_a_reply_as_the_settings_say: %s', async (replySpeech, words) => {
  const appearance = { ...defaultSettings.appearance, replySpeech };
  const said = listen(fakeBackend(settingsViewOf({ ...defaultSettings, appearance })));
  // The settings are read.
  await act(() => Promise.resolve());
  live(reply(7, { type: 'text', text: 'The wool is red.\n\nThe loom is old.' }));
  expect(said()).toBe(words);
});
