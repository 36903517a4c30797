import { screen, waitFor } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type { Backend } from '../ipc';
import type { ModelRef } from '../ipc/bindings';
import { forgetAside } from './asideStore';
import { QuickAsk } from './QuickAsk';

const model: ModelRef = { provider: 'demo', model: 'demo-8k' };

function open(commands: Partial<Backend['commands']> = {}) {
  const calls: [string, ...unknown[]][] = [];
  const record =
    <Result,>(name: string, result: Result) =>
    (...args: unknown[]) => {
      calls.push([name, ...args]);
      return Promise.resolve(result);
    };
  const backend = backendWith({
    askSideQuestion: vi.fn((_session, _earlier, question: string) =>
      Promise.resolve({
        text: `Answer to ${question}`,
        ending: { type: 'complete' as const },
        truncation: null,
        model,
        hasCalls: false,
        usage: {},
        cost: null,
      }),
    ) as unknown as Backend['commands']['askSideQuestion'],
    unusedSession: () => Promise.resolve(1),
    newChat: record('newChat', 7),
    keepSideQuestions: record('keepSideQuestions', null),
    saveDraft: record('saveDraft', null),
    showInAppWindow: record('showInAppWindow', null),
    hideQuickAsk: record('hideQuickAsk', null),
    ...commands,
  });
  return {
    ...renderPart(<QuickAsk />, backend),
    backend,
    calls,
  };
}

const field = () => screen.findByRole('textbox', { name: 'Your question' });
const continueIt = () => screen.getByRole('button', { name: 'Continue in Skein' });

beforeEach(() => {
  forgetAside('quick');
});

it('hands the rounds and an unasked question to the composer of a session', async () => {
  const { user, calls } = open();
  await user.type(await field(), 'Wool?{Enter}');
  await screen.findByText('Answer to Wool?');
  await user.type(await field(), 'And flax?');
  await user.click(continueIt());
  await waitFor(() => {
    expect(calls.at(-1)).toEqual(['hideQuickAsk']);
  });
  expect(calls.filter(([name]) => name === 'saveDraft')).toEqual([]);
  expect(calls[0]).toEqual(['newChat', 'And flax?', [], model]);
  expect(calls).toContainEqual([
    'keepSideQuestions',
    7,
    [{ question: 'Wool?', answer: 'Answer to Wool?', model, ending: { type: 'complete' } }],
  ]);
  expect(calls).toContainEqual(['showInAppWindow', 7]);
});

it('does not store the rounds again where the app window could not be shown', async () => {
  const { user, calls } = open({ showInAppWindow: () => Promise.reject(new Error('no window')) });
  await user.type(await field(), 'Wool?{Enter}');
  await screen.findByText('Answer to Wool?');
  await user.click(continueIt());
  await waitFor(() => {
    expect(calls.map(([name]) => name)).toContain('keepSideQuestions');
  });
  await waitFor(() => {
    expect(screen.queryByText('Answer to Wool?')).toBeNull();
  });
});

it('asks each question from a session that is unused at that moment', async () => {
  let unused = 1;
  const { user, backend } = open({ unusedSession: () => Promise.resolve(unused) });
  await user.type(await field(), 'Wool?{Enter}');
  await screen.findByText('Answer to Wool?');
  unused = 2;
  await user.type(await field(), 'Flax?{Enter}');
  await screen.findByText('Answer to Flax?');
  const { askSideQuestion } = backend.commands;
  expect(vi.mocked(askSideQuestion).mock.calls.map(([session]) => session)).toEqual([1, 2]);
  expect(vi.mocked(askSideQuestion).mock.calls[1]?.[1]).toHaveLength(1);
});

it('keeps the question where no session can be asked, and begins anew with it', async () => {
  const { user, backend, calls } = open();
  await user.type(await field(), 'Wool?{Enter}');
  await screen.findByText('Answer to Wool?');
  backend.commands.unusedSession = () => Promise.reject(new Error('no database'));
  await user.type(await field(), 'Flax?{Enter}');
  await waitFor(async () => {
    expect(await field()).toHaveValue('Flax?');
  });
  await user.click(screen.getByRole('button', { name: 'New question' }));
  expect(screen.queryByText('Answer to Wool?')).toBeNull();
  expect(await field()).toHaveValue('Flax?');
  expect(await field()).toHaveFocus();
  expect(calls).toEqual([]);
});
