import { screen } from '@testing-library/react';
import { lazy, type ComponentType } from 'react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { LazyDialog } from './LazyDialog';

it('shows the frame of a dialog that is still being loaded, and lets it be closed', async () => {
  const Never = lazy(() => new Promise<{ default: ComponentType }>(() => undefined));
  const onClose = vi.fn();
  const { user } = renderPart(
    <LazyDialog title="Settings" size="full" onClose={onClose}>
      <Never />
    </LazyDialog>,
  );
  expect(screen.getByRole('dialog', { name: 'Settings' })).toHaveTextContent('Loading…');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});
