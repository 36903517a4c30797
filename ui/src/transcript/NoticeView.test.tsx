import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Notice } from '../ipc/bindings';
import { answering, show } from '../../test-show';
import { NoticeView } from './NoticeView';

const caution: Notice = { type: 'caution', prompt: 104_000, optimal: 100_000 };

function open(takesTools: boolean, readOnly = false) {
  const setOverrides = vi.fn(() => Promise.resolve(null));
  const strategies = vi.fn(() =>
    Promise.resolve({
      model: { provider: 'p', model: 'weaver-1' },
      summarizeAbove: null,
      remindAbove: null,
      countDownAbove: null,
      archiveAbove: null,
      takesTools,
      global: 'summarize' as const,
    }),
  );
  const notice = <NoticeView notice={caution} sessionId={1} readOnly={readOnly} />;
  return { setOverrides, strategies, ...show(notice, answering({ strategies, setOverrides })) };
}

it('says of a model without tools that it cannot do what it is reminded of, and offers a summary', async () => {
  const { person, setOverrides } = open(false);
  expect(await screen.findByText(/^This model takes no tools/)).toBeVisible();
  await person.click(screen.getByRole('button', { name: 'Summarise instead' }));
  await waitFor(() => {
    expect(setOverrides).toHaveBeenCalledWith(1, { strategy: 'summarize' });
  });
});

it('says nothing of the kind of a model with tools, or in a thread that has ended', async () => {
  const { strategies } = open(true);
  await waitFor(() => {
    expect(strategies).toHaveBeenCalled();
  });
  open(false, true);
  expect(screen.getAllByRole('article', { name: 'Notice' })).toHaveLength(2);
  expect(screen.queryByRole('button')).not.toBeInTheDocument();
});
