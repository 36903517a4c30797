import { expect, it, vi } from 'vitest';
import { screen } from '@testing-library/react';
import { ContextHealthRing } from './ContextHealthRing';
import { backendWith, renderPart } from '../../test/render';
import { unreportedHealth } from '../../test/fixtures/healthFixtures';
import { useReceiveTurnEvent } from '../state/turn/useReceiveTurnEvent';

function Reporter() {
  const receive = useReceiveTurnEvent(1);
  const health = { ...unreportedHealth.latest, level: 'healthy', prompt: 820 } as const;
  return (
    <button
      onClick={() => {
        receive({ type: 'usage', health });
      }}
    >
      Report
    </button>
  );
}

it('shows the reported usage without a query', async () => {
  const health = vi.fn(() => Promise.resolve(unreportedHealth));
  const { user } = renderPart(
    <>
      <Reporter />
      <ContextHealthRing sessionId={1} due={null} />
    </>,
    backendWith({ health }),
  );
  await screen.findByRole('img', { name: 'Context health: unknown' });
  await user.click(screen.getByRole('button', { name: 'Report' }));
  const ring = await screen.findByRole('img', { name: 'Context health: healthy' });
  expect(ring).toHaveAccessibleDescription(/last request: 820 tokens/);
  expect(health).toHaveBeenCalledTimes(1);
});
