import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, mockViewportWidth, renderPart } from '../../../test/render';
import { changeAside, openAside } from '../../aside/asideStore';
import type { Backend } from '../../ipc';
import { AppWindow } from '../AppWindow';

const answer = vi.fn<Backend['commands']['askSideQuestion']>(() =>
  Promise.resolve({
    text: 'A comb.',
    model: { provider: 'p', model: 'm' },
    ending: { type: 'complete' },
    truncation: null,
    hasCalls: false,
    usage: {},
    cost: { type: 'notBilled' },
  }),
);

it('w02 asks beside the conversation with /aside, and sends nothing into it', async () => {
  const send = vi.fn<Backend['commands']['send']>();
  const { user } = renderPart(<AppWindow />, backendWith({ askSideQuestion: answer, send }));
  await user.type(await screen.findByRole('textbox', { name: 'Message' }), '/aside A reed?{Enter}');
  expect(await screen.findByText('A comb.')).toBeVisible();
  expect(screen.getByRole('region', { name: 'Side question' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Message' })).toHaveValue('');
  expect(answer.mock.calls[0]?.slice(0, 3)).toEqual([1, [], 'A reed?']);
  expect(send).not.toHaveBeenCalled();
});

it('asks before Escape closes the panel over a narrow conversation', async () => {
  const setNarrow = mockViewportWidth();
  openAside(1);
  changeAside(1, () => ({ draft: 'A heddle?' }));
  const { user } = renderPart(<AppWindow />, backendWith({}));
  setNarrow(true);
  expect(await screen.findByRole('dialog', { name: 'Side question' })).toBeVisible();
  await user.keyboard('{Escape}');
  await user.click(await screen.findByRole('button', { name: 'Forget' }));
  expect(screen.queryByRole('dialog')).toBeNull();
});
