import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { LiveRegionProvider } from './LiveRegion';
import { CopyButton } from './CopyButton';

const open = (copy: () => Promise<unknown>) =>
  renderPart(
    <LiveRegionProvider>
      <CopyButton worded label="Copy" copy={copy} />
    </LiveRegionProvider>,
  );
const icon = () =>
  screen.getByRole('button', { name: 'Copy' }).querySelector('svg')?.getAttribute('data-icon');

it('shows a tick for a moment where it has copied, and says so', async () => {
  vi.useFakeTimers();
  const copy = vi.fn(() => Promise.resolve());
  open(copy);
  await act(async () => {
    screen.getByRole('button', { name: 'Copy' }).click();
    await Promise.resolve();
  });
  expect(copy).toHaveBeenCalledOnce();
  expect(icon()).toBe('check');
  expect(screen.getByText('Copied')).toBeInTheDocument();
  act(() => {
    vi.runAllTimers();
  });
  expect(icon()).toBe('copy');
  vi.useRealTimers();
});

it('says that it has not, where it could not', async () => {
  const { user } = open(() => Promise.reject(new Error('no clipboard')));
  await user.click(screen.getByRole('button', { name: 'Copy' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('could not be copied');
  expect(icon()).toBe('copy');
});
