import { screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Reminder } from '../ipc/bindings';
import { answering, show } from '../../test-show';
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
  const backend = answering({
    reminders: () => Promise.resolve([]),
    addReminder: () => Promise.resolve(5),
  });
  return { onClose, ...show(<RemindersPanel sessionId={session} onClose={onClose} />, backend) };
}

it('closes with Escape, which does nothing else', async () => {
  const { person, onClose } = open();
  await person.keyboard('{Escape}');
  expect(onClose).toHaveBeenCalledOnce();
  expect(unheard).not.toHaveBeenCalled();
});

it('throws no written reminder away with Escape, wherever in it the focus is', async () => {
  const { person, onClose } = open();
  await person.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await person.keyboard('Red wool{Escape}');
  await person.tab();
  await person.keyboard('{Escape}');
  expect(screen.getByRole('textbox', { name: 'What to remember' })).toHaveValue('Red wool');
  expect(onClose).not.toHaveBeenCalled();
  expect(unheard).not.toHaveBeenCalled();
});

it('leaves a reminder of which nothing is written with Escape', async () => {
  const { person } = open();
  await person.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await person.keyboard('{Escape}');
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
});

it('does not say that there is none before it knows', async () => {
  let answer: (reminders: Reminder[]) => void = () => undefined;
  const reading = new Promise<Reminder[]>((resolve) => {
    answer = resolve;
  });
  show(
    <RemindersPanel sessionId={1} onClose={() => undefined} />,
    answering({ reminders: () => reading }),
  );
  expect(screen.queryByText(/^No reminder yet/)).not.toBeInTheDocument();
  answer([]);
  expect(await screen.findByText(/^No reminder yet/)).toBeVisible();
});

it('keeps a half-written reminder where the panel goes away, until it is stored', async () => {
  const { person, onClose, rerender } = open();
  const panel = (of: number) => <RemindersPanel key={of} sessionId={of} onClose={onClose} />;
  await person.click(screen.getByRole('button', { name: 'Add a reminder' }));
  await person.keyboard('Red wool');
  await person.click(screen.getByRole('radio', { name: 'Everywhere' }));
  rerender(panel(-1));
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
  rerender(panel(session));
  expect(screen.getByRole('textbox', { name: 'What to remember' })).toHaveValue('Red wool');
  expect(screen.getByRole('radio', { name: 'Everywhere' })).toBeChecked();
  await person.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => {
    expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
  });
  rerender(panel(-1));
  rerender(panel(session));
  expect(screen.queryByRole('textbox', { name: 'What to remember' })).toBeNull();
});
