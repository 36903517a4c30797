/**
 * For tests: what stands in a conversation, whole and with nothing beside it.
 */
import type { Message, Page, SessionItem, Thread, TranscriptItem } from './bindings';

/** A reply of the model, the first of its thread. */
export const assistantMessage = (id: number, more: Partial<Message> = {}): Message => ({
  id,
  threadId: 1,
  parentId: null,
  kind: { type: 'chat' },
  role: 'assistant',
  origin: 'model',
  parts: [],
  state: { type: 'complete' },
  inclusion: 'usual',
  model: null,
  createdAt: 0,
  ...more,
});

export const transcriptItem = (message: Message, number = 1): TranscriptItem => ({
  message,
  number,
  siblings: [message.id],
  later: null,
  coveredBy: null,
  point: null,
  generation: null,
  unstored: null,
});

/** All of a thread. */
export const transcriptPage = (...messages: readonly Message[]): Page => ({
  items: messages.map((message, at) => transcriptItem(message, at + 1)),
  before: 0,
  after: 0,
});

/** A session of the list, in which nothing goes on. */
export const idleSessionItem: SessionItem = {
  id: 1,
  title: 'Wool',
  name: 'Wool',
  pinned: false,
  updatedAt: 0,
  activity: 'idle',
  ended: null,
  unread: false,
  opened: null,
};

/** A thread of a session, in which nothing was said. */
export const emptyThread = (number: number): Thread => ({
  id: number,
  sessionId: 1,
  number,
  leaf: null,
  beginning: { type: 'person' },
  createdAt: 0,
  endedAt: null,
});
