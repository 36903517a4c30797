import { screen, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { renderPart } from '../../../test/render';
import { emptySession } from '../../../test/fakeBackend';
import { emptyThread } from '../../../test/fixtures/conversationFixtures';
import { ThreadMenu } from './ThreadMenu';

/** A session of so many threads, the latest of them the current one. */
function Head({ count, isEmpty = false }: { count: number; isEmpty?: boolean }) {
  const [shown, setShown] = useState(count);
  // A notice may stand in one in which nothing was said.
  const threads = Array.from({ length: count }, (_, at) => ({
    ...emptyThread(count - at),
    leaf: 7,
  }));
  const view = {
    ...emptySession,
    session: { ...emptySession.session, currentThread: count },
    threads,
    isEmpty,
  };
  return (
    <ThreadMenu {...{ view, shown }} onShow={setShown} onNew={() => undefined}>
      <button>Instructions</button>
    </ThreadMenu>
  );
}

const inSight = () =>
  within(screen.getByRole('list', { name: 'Threads' }))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);

it('has three threads beside each other', () => {
  renderPart(<Head count={3} />);
  expect(inSight()).toEqual(['Thread 3 · current', 'Thread 2', 'Thread 1']);
});

it('has the others of many in a menu, and the one that is read in sight', async () => {
  const { user } = renderPart(<Head count={6} />);
  expect(inSight()).toEqual(['Thread 6 · current', 'Thread 5', 'Thread 4', '3 more']);
  screen.getByRole('button', { name: '3 more threads' }).focus();
  await user.keyboard('{Enter}');
  const items = await screen.findAllByRole('menuitem');
  expect(items.map(({ textContent }) => textContent)).toEqual(['Thread 3', 'Thread 2', 'Thread 1']);
  await user.keyboard('{ArrowDown}{Enter}');
  expect(inSight()).toEqual(['Thread 6 · current', 'Thread 5', 'Thread 2', '3 more']);
  expect(screen.getByRole('button', { name: 'Thread 2' })).toHaveAttribute('aria-current', 'true');
});

it('has its buttons side by side at its end, for which the styles look for one behind another', () => {
  renderPart(<Head count={1} />);
  const [newThread, more] = screen.getAllByRole('button');
  expect(newThread).toHaveAccessibleName('New thread');
  expect(newThread?.nextElementSibling).toBe(more);
});

it('says what a new thread is', async () => {
  const { user } = renderPart(<Head count={1} />);
  const button = screen.getByRole('button', { name: 'New thread' });
  expect(button).toHaveAccessibleDescription(/^A fresh start in this session/);
  await user.hover(button);
  expect(await screen.findByText(/^New thread\s+A fresh start in this session/)).toBeVisible();
});

it('names the only thread to those who listen, and offers nothing to choose from', () => {
  renderPart(<Head count={1} />);
  const list = screen.getByRole('list', { name: 'Threads' });
  expect(list).toHaveTextContent('Thread 1 · current');
  expect(within(list).queryByRole('button')).toBeNull();
});

it.each([
  ['nothing', true],
  ['something', false],
])('begins a new thread where %s was said in the current one', (_, isEmpty) => {
  renderPart(<Head count={2} isEmpty={isEmpty} />);
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'New thread' }).disabled).toBe(
    isEmpty,
  );
});
