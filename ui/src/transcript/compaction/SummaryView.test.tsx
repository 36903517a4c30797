import { screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import { transcriptItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { SummaryView } from './SummaryView';

const summary = assistantMessage(9, {
  parentId: 2,
  kind: { type: 'summary' },
  origin: 'runtime',
  parts: [{ type: 'text', text: 'Wool is red.' }],
});

type SummaryProps = { readOnly?: boolean; onCompare?: () => void };

function Summary({ readOnly = false, onCompare = () => undefined }: SummaryProps) {
  const [editing, setEditing] = useState<number | null>(null);
  return (
    <SummaryView
      item={transcriptItem(summary)}
      sessionId={1}
      readOnly={readOnly}
      last={false}
      editing={editing === summary.id}
      isRestored={false}
      onEditing={setEditing}
      onCompare={onCompare}
      onProvider={() => undefined}
      renderContextCard={() => null}
    />
  );
}

it('opens a closed summary to edit it, and shows it as it stands afterwards', async () => {
  const { user } = renderPart(<Summary />);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  expect(screen.getByRole('textbox', { name: 'Edit the summary' })).toHaveFocus();
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('textbox')).toBeNull();
  expect(screen.getByText('Wool is red.')).toBeVisible();
});

it('scrolls the box of a summary into view, with its buttons', async () => {
  const scrolled = vi.fn();
  Element.prototype.scrollIntoView = function (this: Element, how) {
    scrolled(this.className, how);
  };
  const { user } = renderPart(<Summary />);
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  await waitFor(() => {
    expect(scrolled).toHaveBeenCalledExactlyOnceWith('EditBox', { block: 'nearest' });
  });
});

it('keeps an edited summary in its box where it cannot be stored, and says why (Ctrl+Enter saves)', async () => {
  const editSummary = vi.fn(() =>
    Promise.reject(Object.assign(new Error(), { kind: 'diskFull', path: '/skein.db' })),
  );
  const { user } = renderPart(<Summary />, backendWith({ editSummary }));
  await user.click(screen.getByRole('button', { name: 'Edit' }));
  const box = screen.getByRole('textbox', { name: 'Edit the summary' });
  await user.type(box, ' Silk too.{Enter}Linen.{Control>}{Enter}{/Control}');
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is full');
  expect(box).toHaveValue('Wool is red. Silk too.\nLinen.');
});

it('compares in a thread that has ended, and changes nothing there', async () => {
  const onCompare = vi.fn();
  const { user } = renderPart(<Summary readOnly onCompare={onCompare} />);
  await user.click(screen.getByRole('button', { name: 'Compare' }));
  expect(onCompare).toHaveBeenCalledOnce();
  expect(screen.queryByRole('button', { name: 'Edit' })).toBeNull();
});

/** Undoes the compaction. */
async function undo(commands: Partial<Backend['commands']>) {
  const point = {
    id: 1,
    threadId: 1,
    summaryMessageId: summary.id,
    boundaryMessageId: 2,
    before: 2_500,
    after: 800,
    covered: 2,
    fingerprint: '',
    anchors: '',
    trigger: 'threshold' as const,
    model: null,
    createdAt: 0,
  };
  const undoCompaction = vi.fn(() => Promise.resolve(null));
  const item = {
    ...transcriptItem(summary),
    point: { point, writer: 'skein' as const, coveredMessages: 2, applied: true, stale: false },
  };
  const { user } = renderPart(
    <SummaryView
      {...{ item, sessionId: 1, readOnly: false, last: false, editing: false, isRestored: false }}
      onEditing={() => undefined}
      onCompare={() => undefined}
      onProvider={() => undefined}
      renderContextCard={() => null}
    />,
    backendWith({ undoCompaction, ...commands }),
  );
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  const toast = await screen.findByRole('status');
  expect(undoCompaction).toHaveBeenCalledExactlyOnceWith(1, point.id);
  return { user, toast: within(toast) };
}

it('says that it is undone, and offers to put it back', async () => {
  const redoCompaction = vi.fn(() => Promise.resolve(7));
  const { user, toast } = await undo({ redoCompaction });
  expect(toast.getByText('The compaction was undone.')).toBeVisible();
  await user.click(toast.getByRole('button', { name: 'Redo' }));
  expect(redoCompaction).toHaveBeenCalledExactlyOnceWith(1);
});
