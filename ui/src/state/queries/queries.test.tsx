import { act, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { SessionView, Topic } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { useSession } from './queries';

function Title() {
  return <p>{useSession(1).data?.session.title}</p>;
}

it('reads again what changed while it was read for the first time', async () => {
  const answers: ((view: SessionView) => void)[] = [];
  const backend = backendWith({
    session: () =>
      new Promise((answer) => {
        answers.push(answer);
      }),
  });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  const titled = (title: string) => ({
    ...emptySession,
    session: { ...emptySession.session, title },
  });
  renderPart(<Title />, backend);
  expect(answers).toHaveLength(1);
  await act(async () => {
    tell([{ topic: 'session', sessionId: 1 }]);
    await Promise.resolve();
  });
  answers[0]?.(titled('Before'));
  await expect.poll(() => answers.length).toBe(2);
  answers[1]?.(titled('After'));
  expect(await screen.findByText('After')).toBeVisible();
});

it.each([
  ['the settings change: what it has not decided follows them', { topic: 'settings' }],
  ['more has changed than could be told', { topic: 'everything' }],
] as const)('reads a session again when %s', async (_why, topic) => {
  const session = vi.fn(() => Promise.resolve(emptySession));
  const backend = backendWith({ session });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  renderPart(<Title />, backend);
  await screen.findByText('Wool');
  tell([topic]);
  await expect.poll(() => session.mock.calls.length).toBe(2);
});
