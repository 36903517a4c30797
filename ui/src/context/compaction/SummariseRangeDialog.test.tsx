import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type { CompactionPreview } from '../../ipc/bindings';
import { SummariseRangeDialog } from './SummariseRangeDialog';

const preview: CompactionPreview = {
  before: 2_500,
  after: 800,
  summary: 400,
  facts: 100,
  writer: 'skein' as const,
  encrypted: false,
  covers: [],
  keeps: [],
  model: null,
  cost: null,
  paidAfter: null,
};
const range = { type: 'from', messageId: 7 } as const;

function open(commands: Partial<Backend['commands']>) {
  const onClose = vi.fn();
  const { user } = renderPart(
    <SummariseRangeDialog sessionId={1} threadId={2} range={range} onClose={onClose} />,
    backendWith(commands),
  );
  return { user, onClose };
}

it('w01: previews the chosen messages and summarises them, with what to keep', async () => {
  const previewCompaction = vi.fn(() => Promise.resolve(preview));
  const compact = vi.fn(() => Promise.resolve(null));
  const { user, onClose } = open({ previewCompaction, compact });
  expect(await screen.findByText(/2,500 tokens now, at most 800 afterwards/)).toBeVisible();
  expect(previewCompaction).toHaveBeenCalledExactlyOnceWith(1, range);
  await user.type(screen.getByRole('textbox'), 'the names');
  await user.click(screen.getByRole('button', { name: 'Compact now' }));
  expect(compact).toHaveBeenCalledExactlyOnceWith(1, range, 'the names');
  expect(onClose).toHaveBeenCalledOnce();
});

it('w01: says why there is nothing to summarise', async () => {
  const previewCompaction = vi.fn<Backend['commands']['previewCompaction']>();
  previewCompaction.mockRejectedValue({ kind: 'notCompacted', reason: 'tooLittleGained' });
  open({ previewCompaction });
  expect(await screen.findByRole('alert')).toHaveTextContent('would have gained too little');
  expect(screen.queryByRole('button', { name: 'Compact now' })).toBeNull();
});
