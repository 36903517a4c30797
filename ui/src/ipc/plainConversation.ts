/**
 * For tests: what stands in a conversation, whole and with nothing beside it.
 */
import type { Message, Page, SessionItem, Thread, TranscriptItem } from './bindings';

/** A reply of the model, the first of its thread. */
export const plainMessage = (id: number, more: Partial<Message> = {}): Message => ({
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

export const itemOf = (message: Message, number = 1): TranscriptItem => ({
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
export const pageOf = (...messages: readonly Message[]): Page => ({
  items: messages.map((message, at) => itemOf(message, at + 1)),
  before: 0,
  after: 0,
});

/** A session of the list, in which nothing goes on. */
export const plainItem: SessionItem = {
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
export const plainThread = (number: number): Thread => ({
  id: number,
  sessionId: 1,
  number,
  leaf: null,
  beginning: { type: 'person' },
  createdAt: 0,
  endedAt: null,
});
