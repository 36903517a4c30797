import { screen } from '@testing-library/react';
import axe from 'axe-core';
import { beforeEach, expect, it } from 'vitest';
import { renderApp } from '../render';

beforeEach(() => {
  document.title = 'Skein';
  Element.prototype.scrollIntoView = () => undefined;
  Element.prototype.scrollTo = () => undefined;
});

/** Accessibility violations of the page. Colours are checked in tokens.test.ts. */
async function faults() {
  const rules = { 'color-contrast': { enabled: false } };
  const { violations } = await axe.run(document, {
    runOnly: ['wcag2a', 'wcag2aa', 'wcag21aa', 'best-practice'],
    rules,
  });
  return violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
}

async function open() {
  const { user } = renderApp();
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await user.type(box, 'red wool{Enter}');
  await screen.findByRole('article', { name: 'Assistant' });
  return { user, box };
}

it('a reply is read aloud once, when it has ended', async () => {
  await open();
  expect(screen.getByText('Assistant: You said: red wool')).toBeInTheDocument();
  expect(screen.getByRole('log', { name: 'Conversation' })).toHaveAttribute('aria-live', 'off');
});

it('a conversation can be used by those who do not see it', async () => {
  await open();
  expect(await faults()).toEqual([]);
});

it('so can the commands, the palette and what was found', async () => {
  const { user, box } = await open();
  await user.type(box, '/');
  expect(await faults()).toEqual([]);
  await user.clear(box);
  await user.keyboard('{Control>}f{/Control}');
  await user.type(screen.getByRole('searchbox', { name: 'Find in this thread' }), 'wool');
  expect(await faults()).toEqual([]);
  await user.keyboard('{Escape}{Control>}k{/Control}');
  expect(await faults()).toEqual([]);
});
