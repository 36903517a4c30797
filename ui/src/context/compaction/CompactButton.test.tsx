import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { CompactionPreview } from '../../ipc/bindings';
import { Dialog } from '../../kit/overlays/Dialog';
import { CompactButton } from './CompactButton';

const preview: CompactionPreview = {
  before: 2_500,
  after: 800,
  summary: 400,
  facts: 100,
  covers: [],
  keeps: [],
  model: null,
};

it('asks before what is to be kept in particular is lost', async () => {
  const onClose = vi.fn();
  const { user } = renderPart(
    <Dialog title="Context estimate" onClose={onClose}>
      <CompactButton sessionId={1} threadId={1} />
    </Dialog>,
    backendWith({ previewCompaction: () => Promise.resolve(preview) }),
  );
  const escape = () => {
    // A browser closes a modal dialog with Esc by asking it; jsdom does not.
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  };
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  await user.type(await screen.findByRole('textbox'), 'the names');
  escape();
  expect(onClose).not.toHaveBeenCalled();
  await user.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByRole('textbox')).toHaveValue('the names');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});

it('offers nothing while a compaction runs, and says why', async () => {
  const progress = { threadId: 1, pieces: 1, piece: 1, text: '', model: null, unstored: null };
  renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({ compactionStatus: () => Promise.resolve({ type: 'running', progress }) }),
  );
  const compact = screen.getByRole('button', { name: 'Compact context' });
  await waitFor(() => {
    expect(compact).toBeDisabled();
  });
  expect(compact).toHaveAccessibleDescription(/^A compaction is already running here/);
});

it('says what stays word for word only where something does', async () => {
  const { user } = renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({ previewCompaction: () => Promise.resolve(preview) }),
  );
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  expect(await screen.findByRole('button', { name: /of the summary$/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: /word for word/ })).toBeNull();
});
