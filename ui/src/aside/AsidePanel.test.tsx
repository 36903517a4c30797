import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { dollarStop } from '../../test/fixtures/budgetFixtures';
import { backendWith, renderPart } from '../../test/render';
import type { SideAnswer } from '../ipc/bindings';
import type { Backend } from '../ipc';
import { LiveRegionProvider } from '../kit/notifications/LiveRegion';
import { AsidePanel } from './AsidePanel';
import { forgetAside, openAside } from './asideStore';
import { useOpenAside } from './useAskAside';

afterEach(() => {
  act(() => {
    forgetAside(1);
  });
});

const model = { provider: 'p', model: 'm' };

const answer = (text: string): SideAnswer => ({
  text,
  model,
  ending: { type: 'complete' },
  truncation: null,
  hasCalls: false,
  usage: { prompt: 1_000, cached: 900 },
  cost: { type: 'known', money: { amount: 20_000_000_000, currency: 'USD' } },
});

type Ask = Backend['commands']['askSideQuestion'];

/** Asks the first question as soon as the panel is open. */
async function asked(ask: Ask, others: Partial<Backend['commands']> = {}) {
  openAside(1);
  const backend = backendWith({ askSideQuestion: ask, ...others });
  const { user } = renderPart(<AsidePanel sessionId={1} />, backend);
  await user.type(screen.getByRole('textbox', { name: 'Your question' }), 'A reed?{Enter}');
  return user;
}

it('asks, says the cost and the cache, follows up, and keeps all of it', async () => {
  const ask = vi.fn<Ask>((_session, earlier) =>
    Promise.resolve(answer(earlier.length === 0 ? 'A comb.' : 'A loop.')),
  );
  const keepSideQuestions = vi.fn(() => Promise.resolve(null));
  const user = await asked(ask, { keepSideQuestions });
  expect(await screen.findByText('A comb.')).toBeVisible();
  expect(screen.getByText(/1k in · 90.0% of it cached/)).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Your question' }), 'A heddle?{Enter}');
  expect(await screen.findByText('A loop.')).toBeVisible();
  const first = { question: 'A reed?', answer: 'A comb.', model, ending: { type: 'complete' } };
  expect(ask.mock.calls[1]?.slice(0, 3)).toEqual([1, [first], 'A heddle?']);
  await user.click(screen.getByRole('button', { name: 'Keep it after all' }));
  const second = { question: 'A heddle?', answer: 'A loop.', model, ending: { type: 'complete' } };
  expect(keepSideQuestions).toHaveBeenCalledExactlyOnceWith(1, [first, second]);
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: 'Side question' })).toBeNull();
  });
});

it('asks once before text is forgotten, and not where there is none', async () => {
  const user = await asked(() => Promise.resolve(answer('A comb.')));
  await screen.findByText('A comb.');
  await user.keyboard('{Escape}');
  const cancel = await screen.findByRole('button', { name: 'Cancel' });
  // A browser closes a dialog by Escape only where no handler prevents it.
  expect(fireEvent.keyDown(cancel, { key: 'Escape' })).toBe(true);
  await user.click(cancel);
  expect(screen.getByText('A comb.')).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  await user.click(await screen.findByRole('button', { name: 'Forget' }));
  expect(screen.queryByText('A comb.')).toBeNull();
  act(() => {
    openAside(1);
  });
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('textbox')).toBeNull();
});

it('shows the words as they arrive and keeps those of an answer that was stopped', async () => {
  let stop: (reason: unknown) => void = () => undefined;
  const ask: Ask = (_session, _earlier, _question, channel) => {
    (channel as unknown as { hear: (delta: string) => void }).hear('A co');
    return new Promise((_, reject) => {
      stop = reject;
    });
  };
  const stopSideQuestion = vi.fn(() => {
    stop(Object.assign(new Error(), { kind: 'notCompacted', reason: 'cancelled' }));
    return Promise.resolve(null);
  });
  const user = await asked(ask, { stopSideQuestion });
  expect(await screen.findByText('A co')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Ask' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Stop' }));
  expect(await screen.findByText('Stopped.')).toBeVisible();
  expect(screen.getByText('A co')).toBeVisible();
});

it('says what to do about a question without room, which is in the field again', async () => {
  const tooLong = { kind: 'tooLong', limit: 10, actual: 20, outputOnly: false, message: '' };
  await asked(() => Promise.reject(Object.assign(new Error(), tooLong)));
  expect(await screen.findByRole('alert')).toHaveTextContent('Compact the thread first');
  expect(screen.getByRole('textbox', { name: 'Your question' })).toHaveValue('A reed?');
});

it('says that an answer was cut off, and hands it on as cut', async () => {
  const ending = { type: 'ended', at: { type: 'output', shortened: null } } as const;
  const keepSideQuestions = vi.fn(() => Promise.resolve(null));
  const user = await asked(() => Promise.resolve({ ...answer('A co'), ending }), {
    keepSideQuestions,
  });
  expect(await screen.findByText(/^Cut off: the reply is as long as/)).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Keep it after all' }));
  const cut = { question: 'A reed?', answer: 'A co', model, ending };
  expect(keepSideQuestions).toHaveBeenCalledExactlyOnceWith(1, [cut]);
});

it('keeps what was typed while a question was answered that failed', async () => {
  let fail: (reason: unknown) => void = () => undefined;
  const ask = () =>
    new Promise<SideAnswer>((_, reject) => {
      fail = reject;
    });
  const user = await asked(ask);
  const field = screen.getByRole('textbox', { name: 'Your question' });
  await user.type(field, 'A heddle?');
  fail(Object.assign(new Error(), { kind: 'busy' }));
  await waitFor(() => {
    expect(field).toHaveValue('A reed?\n\nA heddle?');
  });
});

it('keeps the rounds once, however often the button is pressed', async () => {
  let fail: (reason: unknown) => void = () => undefined;
  const keepSideQuestions = vi.fn(
    () =>
      new Promise<null>((_, reject) => {
        fail = reject;
      }),
  );
  const user = await asked(() => Promise.resolve(answer('A comb.')), { keepSideQuestions });
  const keep = await screen.findByRole('button', { name: 'Keep it after all' });
  await user.dblClick(keep);
  expect(keepSideQuestions).toHaveBeenCalledOnce();
  fail(Object.assign(new Error(), { kind: 'busy' }));
  await waitFor(() => {
    expect(keep).toBeEnabled();
  });
});

it('leaves a new panel alone when the answer for a forgotten one arrives', async () => {
  let tell: (answer: SideAnswer) => void = () => undefined;
  const ask = () =>
    new Promise<SideAnswer>((resolve) => {
      tell = resolve;
    });
  await asked(ask);
  await act(async () => {
    forgetAside(1);
    openAside(1);
    tell(answer('A comb.'));
    await Promise.resolve();
  });
  expect(screen.getByRole('textbox', { name: 'Your question' })).toHaveValue('');
  expect(screen.queryByText('A comb.')).toBeNull();
});

it('puts a question into the field while another is answered', async () => {
  openAside(1);
  const ask = vi.fn<Ask>(() => new Promise(() => undefined));
  const panel = (
    <>
      <AsidePanel sessionId={1} />
      <AskFromComposer />
    </>
  );
  const { user } = renderPart(panel, backendWith({ askSideQuestion: ask }));
  await user.click(screen.getByRole('button', { name: 'From the composer' }));
  await user.click(screen.getByRole('button', { name: 'From the composer' }));
  expect(ask).toHaveBeenCalledOnce();
  expect(screen.getByRole('textbox', { name: 'Your question' })).toHaveValue('A loop?');
});

function AskFromComposer() {
  const ask = useOpenAside(1);
  return (
    <button
      onClick={() => {
        ask('A loop?');
      }}
    >
      From the composer
    </button>
  );
}

it('c04: asks a question that a budget stopped after a yes', async () => {
  const stop = { ...dollarStop, purpose: 'sideQuestion' } as const;
  const ask = vi.fn<Ask>(() => Promise.resolve(answer('A comb.')));
  ask.mockRejectedValueOnce(Object.assign(new Error(), { kind: 'overBudget', stop }));
  const allowOverBudget = vi.fn(() => Promise.resolve(null));
  const user = await asked(ask, { allowOverBudget });
  const once = await screen.findByRole('button', { name: 'Send once' });
  await waitFor(() => {
    expect(once).toHaveAttribute('aria-disabled', 'false');
  });
  await user.click(once);
  expect(await screen.findByText('A comb.')).toBeVisible();
  expect(allowOverBudget).toHaveBeenCalledExactlyOnceWith(1, stop, 'once');
  expect(ask.mock.calls[1]?.slice(0, 3)).toEqual([1, [], 'A reed?']);
  expect(screen.queryByRole('group', { name: 'A budget is used up' })).toBeNull();
});

it('speaks an answer once, as words, also when the panel mounts again', async () => {
  openAside(1);
  const backend = backendWith({ askSideQuestion: () => Promise.resolve(answer('A **comb**.')) });
  const panel = (
    <LiveRegionProvider>
      <AsidePanel sessionId={1} />
    </LiveRegionProvider>
  );
  const first = renderPart(panel, backend);
  const spoken = () => document.querySelector('[aria-live]')?.textContent;
  await first.user.type(screen.getByRole('textbox', { name: 'Your question' }), 'A reed?{Enter}');
  await waitFor(() => {
    expect(spoken()).toBe('A comb.');
  });
  first.unmount();
  renderPart(panel, backend);
  expect(await screen.findByText('comb')).toBeVisible();
  expect(spoken()).toBe('');
});

it('says that a tool was wanted and did not run, and hands on no answer without words', async () => {
  const ask = vi.fn<Ask>(() => Promise.resolve({ ...answer(''), hasCalls: true }));
  const user = await asked(ask);
  expect(await screen.findByText(/wanted to use a tool/)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Keep it after all' })).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Your question' }), 'And?{Enter}');
  expect(ask.mock.calls[1]?.slice(0, 3)).toEqual([1, [], 'And?']);
});
