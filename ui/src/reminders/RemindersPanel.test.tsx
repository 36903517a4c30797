import { act, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Reminder, Topic } from '../ipc/bindings';
import { backendWith, renderPart } from '../../test/render';
import { RemindersPanel } from './RemindersPanel';

const unheard = vi.fn();
const heard = (event: KeyboardEvent) => {
  if (event.key === 'Escape' && !event.defaultPrevented) unheard();
};
beforeEach(() => {
  unheard.mockClear();
  window.addEventListener('keydown', heard);
});
afterEach(() => {
  window.removeEventListener('keydown', heard);
});

let session = 0;

/** A session of its own for each: what was written in one stays there. */
function open() {
  const onClose = vi.fn();
  session += 1;
  const backend = backendWith({
    reminders: () => Promise.resolve([]),
    addReminder: () => Promise.resolve(5),
  });
  return {
    onClose,
    ...renderPart(<RemindersPanel sessionId={session} onClose={onClose} />, backend),
  };
}

it('closes with Escape, which does nothing else', async () => {
  const { user, onClose } = open();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(unheard).not.toHaveBeenCalled();
});

it('throws no written reminder away with Escape, wherever in it the focus is', async () => {
  const { user, onClose } = open();
  await user.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await user.keyboard('Red wool{Escape}');
  await user.tab();
  await user.keyboard('{Escape}');
  expect(screen.getByRole('textbox', { name: 'What to remember' })).toHaveValue('Red wool');
  expect(onClose).not.toHaveBeenCalled();
  expect(unheard).not.toHaveBeenCalled();
});

it('leaves a reminder of which nothing is written with Escape', async () => {
  const { user } = open();
  await user.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await user.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
});

it('does not say that there is none before it knows', async () => {
  let answer: (reminders: Reminder[]) => void = () => undefined;
  const reading = new Promise<Reminder[]>((resolve) => {
    answer = resolve;
  });
  renderPart(
    <RemindersPanel sessionId={1} onClose={() => undefined} />,
    backendWith({ reminders: () => reading }),
  );
  expect(screen.queryByText(/^No reminders yet/)).not.toBeInTheDocument();
  answer([]);
  expect(await screen.findByText(/^No reminders yet/)).toBeVisible();
});

it('keeps a half-written reminder where the panel goes away, until it is stored', async () => {
  const { user, onClose, rerender } = open();
  const panel = (of: number) => <RemindersPanel key={of} sessionId={of} onClose={onClose} />;
  await user.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await user.keyboard('Red wool');
  await user.click(screen.getByRole('radio', { name: 'Everywhere' }));
  rerender(panel(-1));
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
  rerender(panel(session));
  expect(screen.getByRole('textbox', { name: 'What to remember' })).toHaveValue('Red wool');
  expect(screen.getByRole('radio', { name: 'Everywhere' })).toBeChecked();
  await user.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => {
    expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
  });
  rerender(panel(-1));
  rerender(panel(session));
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
});

const reminder = (content: string, id = 1): Reminder => ({
  id,
  content,
  scope: { type: 'session', sessionId: session },
  origin: 'runtime',
  continuation: false,
  level: null,
  position: id,
  createdAt: 0,
  updatedAt: 0,
});

/** A panel whose reminders are changed by somebody else: `tell` has them read again. */
function openWith(...stored: Reminder[]) {
  const onClose = vi.fn();
  session += 1;
  const all = { reminders: stored };
  const addReminder = vi.fn(() => Promise.resolve(5));
  const updateReminder = vi.fn(() => Promise.resolve(null));
  let hear: (topics: readonly Topic[]) => void = () => undefined;
  const backend = backendWith({
    reminders: () => Promise.resolve(all.reminders),
    addReminder,
    updateReminder,
  });
  backend.changes = (hearing) => {
    hear = hearing;
    return () => undefined;
  };
  const tell = (...now: Reminder[]) => {
    all.reminders = now;
    act(() => {
      hear([{ topic: 'reminders' }]);
    });
  };
  const panel = <RemindersPanel sessionId={session} onClose={onClose} />;
  return { onClose, addReminder, updateReminder, tell, ...renderPart(panel, backend) };
}

const words = () => screen.getByRole('textbox', { name: 'What to remember' });

it('keeps what was written of a reminder that is deleted meanwhile, and saves it as a new one', async () => {
  const { user, onClose, addReminder, updateReminder, tell } = openWith(reminder('Red wool'));
  await user.click(await screen.findByRole('button', { name: 'Edit “Red wool”' }));
  await user.type(words(), ' and blue');
  tell();
  expect(await screen.findByText(/^This reminder has been deleted in the meantime/)).toBeVisible();
  expect(words()).toHaveValue('Red wool and blue');
  await user.click(screen.getByRole('button', { name: 'Save' }));
  expect(addReminder).toHaveBeenCalledExactlyOnceWith(
    { type: 'session', sessionId: session },
    'Red wool and blue',
  );
  expect(updateReminder).not.toHaveBeenCalled();
  await screen.findByRole('button', { name: 'Add a reminder' });
  screen.getByRole('region', { name: 'Reminders' }).focus();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it('puts the form away of a deleted reminder of which nothing was written', async () => {
  const { user, onClose, tell } = openWith(reminder('Red wool'));
  await user.click(await screen.findByRole('button', { name: 'Edit “Red wool”' }));
  tell();
  await screen.findByRole('button', { name: 'Add a reminder' });
  screen.getByRole('region', { name: 'Reminders' }).focus();
  await user.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
});

it('says what a reminder was changed to while it was edited, and follows it where nothing was', async () => {
  const { user, tell } = openWith(reminder('Red wool'));
  await user.click(await screen.findByRole('button', { name: 'Edit “Red wool”' }));
  tell(reminder('Blue wool'));
  await waitFor(() => {
    expect(words()).toHaveValue('Blue wool');
  });
  await user.type(words(), ' too');
  tell(reminder('Green wool'));
  expect(await screen.findByText('Green wool')).toBeVisible();
  expect(screen.getByText(/^This reminder has been changed in the meantime/)).toBeVisible();
  expect(words()).toHaveValue('Blue wool too');
});

it('goes on with what else was left half written', async () => {
  const { user } = openWith(reminder('Red wool'), reminder('Blue wool', 2));
  await user.click(await screen.findByRole('button', { name: 'Edit “Red wool”' }));
  await user.type(words(), ', dry');
  await user.click(screen.getByRole('button', { name: 'Edit “Blue wool”' }));
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(words()).toHaveValue('Red wool, dry');
});

it('takes the focus when it opens, not when another session is seen', async () => {
  const { user, onClose, rerender } = open();
  expect(screen.getByRole('region', { name: 'Reminders' })).toHaveFocus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
  rerender(<RemindersPanel sessionId={-1} onClose={onClose} />);
  expect(screen.getByRole('button', { name: 'Close' })).toHaveFocus();
});
