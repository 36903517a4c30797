import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import type { Backend } from '../../ipc';
import type { CompactionPreview } from '../../ipc/bindings';
import { Dialog } from '../../kit/overlays/Dialog';
import { CompactButton } from './CompactButton';

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

it('says at the button that there is nothing to compact, until it is asked again', async () => {
  const previewCompaction = vi.fn<Backend['commands']['previewCompaction']>();
  previewCompaction.mockRejectedValueOnce({ kind: 'notCompacted', reason: 'nothingToCover' });
  previewCompaction.mockResolvedValueOnce(preview);
  const { user } = renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({ previewCompaction }),
  );
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  const words = 'There are no older messages to compact yet.';
  expect(await screen.findByText(words)).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  expect(await screen.findByRole('button', { name: 'Compact now' })).toBeVisible();
  expect(screen.queryByText(words)).toBeNull();
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

const usd = (amount: number) => ({ amount, currency: 'USD' });
const priced: CompactionPreview = {
  ...preview,
  cost: { type: 'between', least: usd(18_000_000_000), most: usd(41_000_000_000) },
  paidAfter: { least: 1, most: 4 },
};

async function opened(preview: CompactionPreview, showCosts = true) {
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const { user, unmount } = renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({
      previewCompaction: () => Promise.resolve(preview),
      settings: () => Promise.resolve(settings),
    }),
  );
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  await screen.findByRole('textbox');
  return unmount;
}

it.each([
  [{ least: 1, most: 4 }, /It has paid for itself after 1 to 4 messages\.$/],
  [{ least: 1, most: 1 }, /It has paid for itself after 1 message\.$/],
  [{ least: 2, most: null }, /It has paid for itself after 2 messages at the earliest\.$/],
  [null, /compaction: \$0\.018 to \$0\.041\.$/],
])(
  'C03: says what the compaction costs and when it has paid for itself: %j',
  async (paidAfter, said) => {
    await opened({ ...priced, paidAfter });
    const note = await screen.findByText(/^Cost of the compaction: \$0\.018 to \$0\.041\./);
    expect(note).toHaveTextContent(said);
  },
);

it('says nothing of the cost where no model is asked, or costs are switched off', async () => {
  const unmount = await opened(preview);
  expect(screen.queryByText(/Cost of/)).toBeNull();
  unmount();
  await opened(priced, false);
  expect(screen.queryByText(/\$|Cost of/)).toBeNull();
});

it('w05: says before a yes that the provider writes the summary', async () => {
  const model = { provider: 'p', model: 'claude' };
  const previewed: CompactionPreview = { ...preview, writer: 'provider', model };
  const previewCompaction = () => Promise.resolve(previewed);
  const { user } = renderPart(
    <CompactButton sessionId={1} threadId={1} />,
    backendWith({ previewCompaction }),
  );
  await user.click(screen.getByRole('button', { name: 'Compact context' }));
  expect(await screen.findByText(/by the provider itself.* and claude\./)).toBeVisible();
});
