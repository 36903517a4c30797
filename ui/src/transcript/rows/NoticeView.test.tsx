import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Notice, Strategy } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { strategyNumbers } from '../../../test/fixtures/healthFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { NoticeView } from './NoticeView';

const caution: Notice = { type: 'caution', prompt: 104_000, optimal: 100_000 };

type Case = { takesTools: boolean; strategy?: Strategy; readOnly?: boolean };

function open({ takesTools, strategy = 'remind', readOnly = false }: Case) {
  const setOverride = vi.fn(() => Promise.resolve(null));
  const strategies = vi.fn(() => Promise.resolve({ ...strategyNumbers, takesTools }));
  const notice = <NoticeView notice={caution} sessionId={1} readOnly={readOnly} />;
  const session = () => Promise.resolve({ ...emptySession, strategy });
  const backend = backendWith({ strategies, setOverride, session });
  return { setOverride, strategies, ...renderPart(notice, backend) };
}

it('says of a model without tools that it cannot do what it is reminded of, and offers a summary', async () => {
  const { user, setOverride } = open({ takesTools: false });
  expect(await screen.findByText(/^This model cannot use tools/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Summarise instead' }));
  await waitFor(() => {
    expect(setOverride).toHaveBeenCalledWith(1, { name: 'strategy', value: 'summarize' });
  });
});

it('says nothing of the kind of a model with tools, in a thread that has ended, or where nobody is reminded', async () => {
  const { strategies } = open({ takesTools: true });
  await waitFor(() => {
    expect(strategies).toHaveBeenCalled();
  });
  open({ takesTools: false, readOnly: true });
  open({ takesTools: false, strategy: 'summarize' });
  expect(screen.getAllByRole('article', { name: 'Notice' })).toHaveLength(3);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});

it('counts the replies until a new thread begins, and none where the next thing is that thread', () => {
  const countdown = (remaining: number) => (
    <NoticeView notice={{ type: 'critical', remaining }} sessionId={1} readOnly />
  );
  const { rerender } = renderPart(countdown(1), backendWith({}));
  const notice = screen.getByRole('article', { name: 'Notice' });
  expect(notice).toHaveTextContent(/After 1 more reply, or before a message that does not fit/);
  rerender(countdown(0));
  expect(notice).toHaveTextContent(
    'The context is full. After this reply Skein begins a new thread by itself.',
  );
});

it('draws the sign of an archive, and keeps its words for who listens or copies', () => {
  const archived: Notice = { type: 'archived', percent: 90 };
  renderPart(<NoticeView notice={archived} sessionId={1} readOnly />, backendWith({}));
  const notice = screen.getByRole('article', { name: 'Notice' });
  expect(notice).toHaveTextContent(/^⚠️ The conversation was full \(90 %\)/);
  expect(screen.getByText('⚠️')).toHaveClass('VisuallyHidden');
  expect(notice.querySelector('.Icon')).toHaveAttribute('data-icon', 'warning');
});
