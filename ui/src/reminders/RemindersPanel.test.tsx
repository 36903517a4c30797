import { screen } from '@testing-library/react';
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

function open() {
  const onClose = vi.fn();
  const backend = answering({ reminders: () => Promise.resolve([]) });
  return { onClose, ...show(<RemindersPanel sessionId={1} onClose={onClose} />, backend) };
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
