import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { renderPart, renderApp } from '../../../test/render';
import { emptySession } from '../../../test/fakeBackend';
import { InstructionsButton } from './InstructionsButton';

const told = (instructions: string | null) => {
  const session = { ...emptySession.session, overrides: { instructions } };
  const onOpen = vi.fn();
  return {
    onOpen,
    ...renderPart(<InstructionsButton {...{ onOpen }} view={{ ...emptySession, session }} />),
  };
};

it('says whether a session has any', async () => {
  const { onOpen, user, unmount } = told('Answer in rhymes.');
  await user.click(screen.getByRole('button', { name: 'Instructions: set' }));
  expect(onOpen).toHaveBeenCalledOnce();
  unmount();
  told(null);
  expect(screen.getByRole('button', { name: 'Instructions' })).toBeVisible();
});

it('opens them from the head of the conversation', async () => {
  const { user } = renderApp();
  await user.click(await screen.findByRole('button', { name: 'Instructions' }));
  expect(await screen.findByRole('textbox', { name: 'Instructions for Wool' })).toHaveFocus();
});
