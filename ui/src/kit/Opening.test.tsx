import { screen } from '@testing-library/react';
import { lazy, type ComponentType } from 'react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test-show';
import { Opening } from './Opening';

it('shows the frame of a dialog that is still being loaded, and lets it be closed', async () => {
  const Never = lazy(() => new Promise<{ default: ComponentType }>(() => undefined));
  const onClose = vi.fn();
  const { person } = show(
    <Opening title="Settings" size="full" onClose={onClose}>
      <Never />
    </Opening>,
  );
  expect(screen.getByRole('dialog', { name: 'Settings' })).toHaveTextContent('Loading…');
  await person.click(screen.getByRole('button', { name: 'Close' }));
  expect(onClose).toHaveBeenCalledOnce();
});
