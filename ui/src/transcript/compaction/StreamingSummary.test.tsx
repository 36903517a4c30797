import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { CompactionBar } from './CompactionBar';
import { StreamingSummary } from './StreamingSummary';

it('shows the last words of a summary as they arrive, and tells who listens only that one is made', async () => {
  const text = 'Wool is red.\nSilk is';
  const progress = { threadId: 1, model: null, piece: 2, pieces: 3, text, unstored: null };
  const { user } = renderPart(
    <CompactionBar sessionId={1} readOnly={false} onEstimate={() => undefined} />,
    backendWith({ compactionStatus: () => Promise.resolve({ type: 'running', progress }) }),
  );
  const status = await screen.findByRole('status', { name: 'Optimising context…' });
  expect(status).toHaveTextContent(/^Optimising context…2 \/ 3$/);
  expect(screen.getByText(/^A compaction: the model will be sent a summary/)).toBeVisible();
  expect(screen.getByText('Silk is')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'The summary so far' }));
  expect(screen.queryByText('Silk is')).toBeNull();
  expect(screen.getByText(/^Wool is red\.\s+Silk is$/)).toBeVisible();
  expect(status).not.toHaveTextContent('Wool');
});

it('stays at the end of a summary that grows until the person scrolls up', async () => {
  const { user, rerender } = renderPart(<StreamingSummary words="Wool" />);
  await user.click(screen.getByRole('button', { name: 'The summary so far' }));
  const box = screen.getByRole('group', { name: 'The summary so far' });
  const high = vi.spyOn(box, 'scrollHeight', 'get').mockReturnValue(1_900);
  rerender(<StreamingSummary words="Wool is" />);
  expect(box.scrollTop).toBe(1_900);
  box.scrollTop = 300;
  fireEvent.scroll(box);
  high.mockReturnValue(2_000);
  rerender(<StreamingSummary words="Wool is red." />);
  expect(box.scrollTop).toBe(300);
});
