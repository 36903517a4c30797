import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type { PreviewPart, PreviewEntry } from '../ipc/bindings';
import { PromptPreview } from './PromptPreview';
import { SentRequestDialog } from './SentRequestDialog';

beforeEach(() => {
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(480);
});

const lineOf = (id: number): PreviewEntry => ({
  label: { type: 'message', messageId: id },
  role: id % 2 === 1 ? 'user' : 'assistant',
  parts: [{ type: 'text', text: `Message ${id}.` }],
  tokens: 1_000,
});

const lines = Array.from({ length: 10_000 }, (_, at) => lineOf(at + 1));

it('shows of a long request what is in view, and copies all of it', async () => {
  const seen = {
    lines,
    total: { tokens: 10_000_000, basis: 'exact' },
    leftOut: 2,
    removed: 0,
  } as const;
  const backend = backendWith({ seenByModel: () => Promise.resolve({ ...seen, lines }) });
  const copyText = vi.fn<(words: string) => Promise<void>>(() => Promise.resolve());
  backend.desktop.copyText = copyText;
  const draft = { text: '', attachments: [] };
  const { user } = renderPart(<PromptPreview sessionId={1} draft={draft} />, backend);
  await screen.findByText('Message 1.');
  expect(screen.getByText(/2 messages are left out and not sent/)).toBeVisible();
  const list = screen.getByRole('group', { name: 'What the model sees' });
  expect(list.querySelectorAll('*').length).toBeLessThan(300);
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => {
    expect(copyText).toHaveBeenCalledOnce();
  });
  const copied = copyText.mock.calls[0]?.[0].split('\n\n');
  expect(copied).toHaveLength(10_000);
  expect(copied?.at(-1)).toMatch(/^\[.*\]\nMessage 10000\.$/);
});

it('shows and copies of a call what the model is told came of it', async () => {
  const result = '[no output]';
  const call: PreviewPart = { type: 'call', name: 'read', args: '{}', result, pictures: ['a.png'] };
  const line: PreviewEntry = { ...lineOf(2), parts: [call] };
  const seen = {
    lines: [line],
    total: { tokens: 9, basis: 'exact' },
    leftOut: 0,
    removed: 0,
  } as const;
  const backend = backendWith({ seenByModel: () => Promise.resolve({ ...seen, lines: [line] }) });
  const copyText = vi.fn<(words: string) => Promise<void>>(() => Promise.resolve());
  backend.desktop.copyText = copyText;
  const { user } = renderPart(
    <PromptPreview sessionId={1} draft={{ text: '', attachments: [] }} />,
    backend,
  );
  expect(await screen.findByText(/^read \{\}\s→ \[no output\]\sa\.png$/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  await waitFor(() => {
    expect(copyText).toHaveBeenCalledExactlyOnceWith(
      '[Message · as the model]\nread {}\n→ [no output]\na.png',
    );
  });
});

it('shows the stored request of a reply, and says what of it is gone', async () => {
  const total = { tokens: 1_234, basis: 'exact' } as const;
  const seen = { lines: [lineOf(1)], total, leftOut: 0, removed: 2 };
  const seenByReply = vi.fn(() => Promise.resolve(seen));
  renderPart(
    <SentRequestDialog sessionId={1} reply={7} onClose={() => undefined} />,
    backendWith({ seenByReply }),
  );
  expect(await screen.findByRole('dialog', { name: 'What the model saw' })).toBeVisible();
  expect(await screen.findByText('Message 1.')).toBeVisible();
  expect(screen.getByText(/as it was sent: 1,234 tokens in all/)).toHaveTextContent(
    '2 lines are missing: their messages were deleted for good',
  );
  expect(seenByReply).toHaveBeenCalledExactlyOnceWith(7);
});

it('says of a reply without a stored request that it has none', async () => {
  renderPart(
    <SentRequestDialog sessionId={1} reply={7} onClose={() => undefined} />,
    backendWith({ seenByReply: () => Promise.resolve(null) }),
  );
  expect(await screen.findByText(/The request of this reply is not stored/)).toBeVisible();
});
