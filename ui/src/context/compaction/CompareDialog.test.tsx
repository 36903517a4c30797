import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type {
  SummaryComparison,
  CompactionPreview,
  ExcerptLength,
  MessageLine,
} from '../../ipc/bindings';
import { CompactButton } from './CompactButton';
import { CompareDialog } from './CompareDialog';

beforeEach(() => {
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: Element,
  ) {
    return this.hasAttribute('data-index') ? 100 : 480;
  });
});

const notice = { type: 'notice', notice: { type: 'critical', remaining: 3 } } as const;

/** Messages of user and model in turn; the third is the program's. */
const lineOf = (id: number): MessageLine => ({
  messageId: id,
  kind: id === 3 ? notice : { type: 'chat' },
  origin: id === 3 ? 'runtime' : id % 2 === 1 ? 'person' : 'model',
  inclusion: id === 2 ? 'pinned' : id === 4 ? 'leftOut' : 'usual',
  words: id === 3 ? 'Call clear_mind.' : `Message ${id}.\nIts second line.`,
});

const places = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ messageId: at + 1, number: at + 1 }));

const messageLines = vi.fn<(ids: number[], extent: ExcerptLength) => Promise<MessageLine[]>>(
  (ids) => Promise.resolve(ids.map(lineOf)),
);

const comparison: SummaryComparison = {
  covered: places(10_000),
  summary: 'We wove.',
  anchors: Array.from({ length: 2_000 }, (_, at) => ({
    text: `port ${at}`,
    messageId: 1,
    number: 1,
    fate: 'leftOut',
  })),
  point: {
    id: 7,
    threadId: 1,
    summaryMessageId: 10_001,
    boundaryMessageId: 10_000,
    before: 2500,
    after: 800,
    covered: 10_000,
    fingerprint: '',
    anchors: '',
    trigger: 'threshold',
    model: null,
    createdAt: 0,
  },
};

const compare = () => {
  messageLines.mockClear();
  return renderPart(
    <CompareDialog pointId={7} threadId={1} onClose={() => undefined} />,
    backendWith({ compare: () => Promise.resolve(comparison), messageLines }),
  );
};

it('compares ten thousand messages with what is near in the page, and reads no others', async () => {
  const { user } = compare();
  const list = await screen.findByRole('group', { name: 'What was covered' });
  await screen.findByText(/Message 1\./);
  expect(within(list).getAllByRole('listitem').length).toBeLessThan(30);
  expect(messageLines).toHaveBeenCalledOnce();
  expect(messageLines.mock.calls[0]?.[0]).toHaveLength(40);
  expect(messageLines.mock.calls[0]?.[1]).toBe('all');
  list.scrollTop = 900_000;
  fireEvent.scroll(list);
  await act(() => new Promise((done) => requestAnimationFrame(done)));
  expect(await screen.findByText(/Message 9001\./)).toBeInTheDocument();
  expect(screen.queryByText(/Message 1\./)).toBeNull();
  expect(within(list).getAllByRole('listitem').length).toBeLessThan(30);
  expect(messageLines.mock.calls.flatMap(([ids]) => ids).length).toBeLessThan(200);
  await user.click(screen.getByRole('button', { name: /2,000 facts/ }));
  await screen.findByText(/port 0/);
  expect(screen.getAllByRole('listitem').length).toBeLessThan(100);
});

it('says in its place what cannot be read, and shows the rest', async () => {
  compare();
  messageLines.mockRejectedValueOnce(Object.assign(new Error(), { kind: 'busy' }));
  expect((await screen.findAllByText(/already/)).length).toBeGreaterThan(0);
  expect(screen.getByText('We wove.')).toBeInTheDocument();
});

it('names the notices of the program as such, in the person’s language', async () => {
  compare();
  const list = await screen.findByRole('group', { name: 'What was covered' });
  await screen.findByText(/Message 1\./);
  const said = within(list)
    .getAllByRole('listitem')
    .slice(0, 4)
    .map((row) => row.querySelector('small')?.textContent);
  const last = '4 · Assistant · left out';
  expect(said).toEqual(['1 · You', '2 · Assistant · pinned', '3 · Notice', last]);
  expect(within(list).getByText(/After 3 more replies/)).toBeInTheDocument();
  expect(within(list).queryByText(/clear_mind/)).toBeNull();
});

it('shows in the preview who says what, how it begins, and of thousands those in view', async () => {
  const preview: CompactionPreview = {
    before: 2500,
    after: 800,
    summary: 500,
    facts: 100,
    writer: 'skein' as const,
    encrypted: false,
    covers: places(9_998),
    keeps: [
      { messageId: 9_999, number: 9_999 },
      { messageId: 10_000, number: 10_000 },
    ],
    model: null,
    cost: null,
    paidAfter: null,
  };
  const { user } = renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({ previewCompaction: () => Promise.resolve(preview), messageLines }),
  );
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  await user.click(await screen.findByRole('button', { name: /9,998/ }));
  const list = screen.getByRole('group', { name: /9,998/ });
  await waitFor(() => {
    const first = within(list).getAllByRole('listitem').slice(0, 3);
    expect(first.map((row) => row.textContent)).toEqual([
      '1 · YouMessage 1.',
      '2 · Assistant · pinnedMessage 2.',
      expect.stringMatching(/^3 · NoticeThe context is nearly full\. After 3 more/),
    ]);
  });
  expect(within(list).getAllByRole('listitem').length).toBeLessThan(100);
  expect(messageLines).toHaveBeenLastCalledWith(expect.anything(), 'beginning');
});
