import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import { plainSession } from '../ipc/memory';
import { Button } from '../kit/Button';
import { useCommands } from './commands';

/** A button for every command, by its name. */
function Offered({ onInstructions = () => undefined }: { onInstructions?: () => void }) {
  const offered = useCommands({
    view: plainSession,
    onEstimate: () => undefined,
    onNewThread: () => Promise.resolve(),
    onInstructions,
    onExport: () => undefined,
  });
  return offered.map(({ name, run }) => (
    <Button key={name} onClick={() => void run(null)}>
      {name}
    </Button>
  ));
}

it('says that a compaction was undone, and offers to take that back', async () => {
  const redoCompaction = vi.fn(() => Promise.resolve(null));
  const undoCompaction = vi.fn(() => Promise.resolve(null));
  const { person } = show(<Offered />, answering({ undoCompaction, redoCompaction }));
  await person.click(screen.getByRole('button', { name: 'undo-compact' }));
  expect(await screen.findByText('The compaction was undone.')).toBeVisible();
  expect(undoCompaction).toHaveBeenCalledExactlyOnceWith(plainSession.session.currentThread);
  await person.click(screen.getByRole('button', { name: 'Undo' }));
  expect(redoCompaction).toHaveBeenCalledExactlyOnceWith(plainSession.session.currentThread);
});

it('leads to the instructions of the session', async () => {
  const onInstructions = vi.fn();
  const { person } = show(<Offered onInstructions={onInstructions} />);
  await person.click(screen.getByRole('button', { name: 'instructions' }));
  expect(onInstructions).toHaveBeenCalledOnce();
});
