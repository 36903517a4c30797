import { expect, it } from 'vitest';
import type { ContentPart, Message } from '../../ipc/bindings';
import { transcriptItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { continuesToolChain } from './toolChain';

const call: ContentPart = {
  type: 'tool',
  call: { callId: 'c', name: 'grep', args: '{}', signature: null, state: { type: 'denied' } },
};
const words: ContentPart = { type: 'text', text: 'I look.' };

const said = (id: number, parts: ContentPart[], more: Partial<Message> = {}) =>
  transcriptItem(assistantMessage(id, { role: 'assistant', origin: 'model', parts, ...more }));

const answer = said(3, [words]);

it.each([
  ['calls, and the answer to them', said(2, [call, call]), answer, true],
  ['calls with words', said(2, [words, call]), answer, false],
  ['calls that nothing follows', said(2, [call]), undefined, false],
  ['calls that a person follows', said(2, [call]), said(3, [words], { role: 'user' }), false],
  ['calls of what was stopped', said(2, [call], { state: { type: 'interrupted' } }), answer, false],
  ['no calls', said(2, []), answer, false],
])('chains %s', (_, item, next, chained) => {
  expect(continuesToolChain(item, next)).toBe(chained);
});
