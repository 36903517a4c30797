import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Message, TranscriptItem } from '../../ipc/bindings';
import { transcriptItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { turnStore } from '../../state/turn/turnStore';
import { useMergedItems } from './mergeLive';

const growing = assistantMessage(7, {
  parentId: 6,
  parts: [{ type: 'text', text: 'The weft' }],
  state: { type: 'streaming' },
});
const whole: Message = {
  ...growing,
  parts: [{ type: 'text', text: 'The weft beats home.' }],
  state: { type: 'complete' },
};

const stored = (message: Message) => [transcriptItem(message)];

it('shows a reply that has ended as it was heard until it is read so, not as it was read before', () => {
  const turn = turnStore.begin(1);
  const { result, rerender } = renderHook(
    ({ read }: { read: TranscriptItem[] }) => useMergedItems(1, 1, read, 0),
    { initialProps: { read: stored(growing) } },
  );
  act(() => {
    turnStore.receive(1, { type: 'message', message: whole });
    turnStore.end(1, turn, null);
  });
  expect(result.current.items.map(({ message }) => message)).toEqual([whole]);
  expect(turnStore.get(1).live).toEqual([whole]);
  rerender({ read: stored(whole) });
  expect(result.current.items.map(({ message }) => message)).toEqual([whole]);
  expect(turnStore.get(1).live).toEqual([]);
});

it('needs what was live no longer once its newest message is read, though another was deleted', () => {
  const turn = turnStore.begin(1);
  const asked: Message = { ...whole, id: 6, parentId: null, role: 'user', origin: 'person' };
  act(() => {
    turnStore.receive(1, { type: 'message', message: asked });
    turnStore.receive(1, { type: 'message', message: whole });
    turnStore.end(1, turn, null);
  });
  const { result } = renderHook(() => useMergedItems(1, 1, stored(whole), 0));
  expect(result.current.items.map(({ message }) => message)).toEqual([whole]);
  expect(turnStore.get(1).live).toEqual([]);
});

it.each([
  { after: 0, items: [6, 7], toTheEnd: true, where: 'nothing is left out' },
  { after: 1, items: [6, 7], toTheEnd: true, where: 'what is left out was heard' },
  { after: 2, items: [6], toTheEnd: false, where: 'more is left out than was heard' },
])('shows what is said after what was read where $where', ({ after, items, toTheEnd }) => {
  const asked: Message = { ...whole, id: 6, parentId: null, role: 'user', origin: 'person' };
  turnStore.set(1, { ...turnStore.get(1), running: true, live: [growing] });
  const { result } = renderHook(() => useMergedItems(1, 1, stored(asked), after));
  expect(result.current.items.map(({ message }) => message.id)).toEqual(items);
  expect(result.current.toTheEnd).toBe(toTheEnd);
});

it('shows another answer in the place of the former one before the path is read anew', () => {
  const asked: Message = { ...whole, id: 3, parentId: null, role: 'user', origin: 'person' };
  const answer: Message = { ...whole, id: 4, parentId: 3 };
  const next: Message = { ...whole, id: 5, parentId: 4 };
  const another: Message = { ...growing, parentId: 3 };
  turnStore.set(1, { ...turnStore.get(1), running: true, live: [another] });
  const read = [asked, answer, next].map((message) => transcriptItem(message));
  const { result } = renderHook(() => useMergedItems(1, 1, read, 0));
  expect(result.current.items.map(({ message }) => message.id)).toEqual([3, 7]);
});
