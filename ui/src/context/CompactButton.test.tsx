import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { CompactionPreview } from '../ipc/bindings';
import { Dialog } from '../kit/Dialog';
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
  const { person } = show(
    <Dialog title="Context estimate" onClose={onClose}>
      <CompactButton sessionId={1} threadId={1} />
    </Dialog>,
    answering({ previewCompaction: () => Promise.resolve(preview) }),
  );
  const escape = () => {
    // A browser closes a modal dialog with Esc by asking it; jsdom does not.
    fireEvent(screen.getByRole('dialog'), new Event('cancel', { cancelable: true }));
  };
  await person.click(screen.getByRole('button', { name: 'Compact context' }));
  await person.type(await screen.findByRole('textbox'), 'the names');
  escape();
  expect(onClose).not.toHaveBeenCalled();
  await person.click(screen.getByRole('button', { name: 'Keep editing' }));
  expect(screen.getByRole('textbox')).toHaveValue('the names');
  await person.click(screen.getByRole('button', { name: 'Cancel' }));
  escape();
  expect(onClose).toHaveBeenCalledOnce();
});
