import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SessionId } from '../ipc/bindings';
import { idleSessionItem } from '../../test/fixtures/conversationFixtures';
import { backendWith, renderPart, sidebarElement } from '../../test/render';

const sessions = [1, 2, 3, 4].map((id) => ({
  ...idleSessionItem,
  id,
  title: `S${id}`,
  name: `S${id}`,
}));

function shown() {
  const deleteSessions = vi.fn<(ids: SessionId[]) => Promise<null>>(() => Promise.resolve(null));
  const restoreSessions = vi.fn(() => Promise.resolve(null));
  const commands = { sessions: () => Promise.resolve(sessions), deleteSessions, restoreSessions };
  return {
    ...renderPart(sidebarElement(), backendWith(commands)),
    deleteSessions,
    restoreSessions,
  };
}

const checked = () =>
  screen.getAllByRole('checkbox').filter((box) => (box as HTMLInputElement).checked);

it('marks one session after the other, deletes them at once and brings them back', async () => {
  const { user, deleteSessions, restoreSessions } = shown();
  await user.click(await screen.findByRole('button', { name: 'Actions for S1' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Select' }));
  await user.click(screen.getByRole('checkbox', { name: 'Select S3' }));
  const bar = screen.getByRole('group', { name: 'Selected sessions' });
  expect(within(bar).getByRole('status')).toHaveTextContent('2 selected');
  await user.click(within(bar).getByRole('button', { name: 'Delete' }));
  expect(deleteSessions.mock.calls).toEqual([[[1, 3]]]);
  expect(await screen.findByText('2 sessions were deleted.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(restoreSessions.mock.calls).toEqual([[[1, 3]]]);
  expect(screen.getByRole('button', { name: 'Settings' })).toBeVisible();
});

it('marks with the keys that lists know, and marks all or none', async () => {
  const { user } = shown();
  const link = (name: string) => screen.getByRole('link', { name });
  await screen.findByRole('link', { name: 'S2' });
  await user.keyboard('{Control>}');
  await user.click(link('S2'));
  await user.keyboard('{/Control}{Shift>}');
  await user.click(link('S4'));
  await user.keyboard('{/Shift}');
  expect(checked().map((box) => box.getAttribute('aria-label'))).toEqual([
    'Select S2',
    'Select S3',
    'Select S4',
  ]);
  await user.click(screen.getByRole('button', { name: 'Select all' }));
  expect(checked()).toHaveLength(4);
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('checkbox')).toBeNull();
});

it('begins where somebody sees it, and leaves the focus with the session', async () => {
  const { user } = shown();
  const link = (name: string) => screen.getByRole('link', { name });
  await screen.findByRole('link', { name: 'S2' });
  await user.keyboard('{Control>}');
  await user.click(link('S1'));
  await user.click(link('S1'));
  await user.keyboard('{/Control}{Shift>}');
  await user.click(link('S3'));
  await user.keyboard('{/Shift}');
  expect(checked().map((box) => box.getAttribute('aria-label'))).toEqual(['Select S3']);
  screen.getByRole('checkbox', { name: 'Select S3' }).focus();
  await user.keyboard(' ');
  expect(screen.queryByRole('checkbox')).toBeNull();
  expect(link('S3')).toHaveFocus();
});
