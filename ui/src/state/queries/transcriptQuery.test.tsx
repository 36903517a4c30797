import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Message, TranscriptView, TranscriptPosition, Topic } from '../../ipc/bindings';
import { transcriptItem } from '../../../test/fixtures/conversationFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { useTrimPages, useTranscript } from './transcriptQuery';

const size = 60;
const whole = 6 * size;

const message = (id: number): Message => ({
  id,
  threadId: 1,
  parentId: id - 1,
  kind: { type: 'chat' },
  role: 'user',
  origin: 'person',
  parts: [],
  state: { type: 'complete' },
  inclusion: 'usual',
  model: null,
  createdAt: 0,
});

/** A thread of six pages, whose messages are called as they are numbered. */
function page(place: TranscriptPosition): TranscriptView {
  const first =
    place.type === 'before'
      ? place.messageId - size
      : place.type === 'after'
        ? place.messageId + 1
        : whole - size + 1;
  const items = Array.from({ length: size }, (_, at) => ({
    message: message(first + at),
    number: first + at,
    siblings: [],
    later: null,
    coveredBy: null,
    point: null,
    generation: null,
    unstored: null,
  }));
  return { items, before: first - 1, after: whole - (first + size - 1) };
}

function Thread() {
  const { data, fetchPreviousPage } = useTranscript(1, null);
  const letGo = useTrimPages(1);
  const numbers = data?.pages.flatMap(({ items }) => items.map(({ number }) => number)) ?? [];
  return (
    <>
      <output>
        {numbers.at(0)}–{numbers.at(-1)} ({numbers.length})
      </output>
      <button type="button" onClick={() => void fetchPreviousPage()}>
        Up
      </button>
      <button type="button" onClick={letGo}>
        To the end
      </button>
    </>
  );
}

it('reads the pages at the end again, and not all that somebody had scrolled through', async () => {
  const transcript = vi.fn((_: number, place: TranscriptPosition) => Promise.resolve(page(place)));
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  const backend = backendWith({ transcript });
  backend.changes = (hear) => {
    tell = hear;
    return () => undefined;
  };
  const { user } = renderPart(<Thread />, backend);
  const shows = (words: string) =>
    waitFor(() => {
      expect(screen.getByRole('status')).toHaveTextContent(words);
    });
  const up = screen.getByRole('button', { name: 'Up' });
  await shows('301–360 (60)');
  for (const first of [241, 181, 121, 61]) {
    await user.click(up);
    await shows(`${first}–360`);
  }
  await user.click(screen.getByRole('button', { name: 'To the end' }));
  await shows('181–360 (180)');

  transcript.mockClear();
  act(() => {
    tell([{ topic: 'thread', threadId: 1 }]);
  });
  await waitFor(() => {
    expect(transcript.mock.calls.map(([, place]) => place)).toEqual([
      { type: 'before', messageId: 241 },
      { type: 'after', messageId: 240 },
      { type: 'after', messageId: 300 },
    ]);
  });
  await shows('181–360 (180)');

  // A page that was dropped is loaded again when it is scrolled to.
  await user.click(up);
  await shows('121–360 (240)');
});

it('shows the path as it is after what a page began at has left it', async () => {
  const numbers = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, at) => first + at);
  let path = numbers(1, whole);
  // As Rust answers: for what is on the path no longer, its nearest ancestor stands.
  const pageAt = (place: TranscriptPosition): TranscriptView => {
    const id = place.type === 'end' ? whole : place.messageId;
    const at = path.findLastIndex((one) => one <= id && one <= whole);
    const first =
      place.type === 'after' ? at + 1 : Math.max(0, at + (path[at] === id ? 0 : 1) - size);
    const [from, to] =
      place.type === 'end' ? [path.length - size, path.length] : [first, first + size];
    const shown = path.slice(from, place.type === 'before' ? Math.min(to, at + 1) : to);
    const items = shown.map((one) => ({ ...transcriptItem(message(one)), number: one }));
    return { items, before: from, after: path.length - from - shown.length };
  };
  const backend = backendWith({ transcript: (_, place) => Promise.resolve(pageAt(place)) });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (hear) => {
    tell = hear;
    return () => undefined;
  };
  const { user } = renderPart(<Thread />, backend);
  const shows = (words: string) =>
    waitFor(() => {
      expect(screen.getByRole('status')).toHaveTextContent(words);
    });
  await shows('301–360 (60)');
  await user.click(screen.getByRole('button', { name: 'Up' }));
  await shows('241–360 (120)');
  // The message 100 was edited, far above all that is held.
  path = [...numbers(1, 99), 1001, 1002];
  act(() => {
    tell([{ topic: 'thread', threadId: 1 }]);
  });
  await shows('40–1002 (62)');
});
