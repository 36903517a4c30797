import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { emptySession } from '../../../test/fakeBackend';
import { Button } from '../../kit/controls/Button';
import { useCommands } from './useCommands';

/** A button for every command, by its name. */
function Offered({ onInstructions = () => undefined }: { onInstructions?: () => void }) {
  const offered = useCommands({
    view: emptySession,
    onEstimate: () => undefined,
    onNewThread: () => Promise.resolve(),
    onInstructions,
    onExport: () => undefined,
    onAside: () => undefined,
  });
  return offered.map(({ name, run }) => (
    <Button key={name} onClick={() => void run(null)}>
      {name}
    </Button>
  ));
}

it('says that a compaction was undone, and offers to take that back', async () => {
  const redoCompaction = vi.fn(() => Promise.resolve(7));
  const undoCompaction = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<Offered />, backendWith({ undoCompaction, redoCompaction }));
  await user.click(screen.getByRole('button', { name: 'undo-compact' }));
  expect(await screen.findByText('The compaction was undone.')).toBeVisible();
  expect(undoCompaction).toHaveBeenCalledExactlyOnceWith(emptySession.session.currentThread, null);
  await user.click(screen.getByRole('button', { name: 'Redo' }));
  expect(redoCompaction).toHaveBeenCalledExactlyOnceWith(emptySession.session.currentThread);
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  expect(undoCompaction).toHaveBeenLastCalledWith(emptySession.session.currentThread, 7);
});

it('leads to the instructions of the session', async () => {
  const onInstructions = vi.fn();
  const { user } = renderPart(<Offered onInstructions={onInstructions} />);
  await user.click(screen.getByRole('button', { name: 'instructions' }));
  expect(onInstructions).toHaveBeenCalledOnce();
});
