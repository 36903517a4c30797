import { readFileSync } from 'node:fs';
import path from 'node:path';
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, it } from 'vitest';
import { Button } from './Button';

afterEach(() => {
  document.head.replaceChildren();
});

/** The tooltip beside the button while the keyboard focuses it. */
async function walked(button: React.ReactNode) {
  render(button);
  await userEvent.tab();
  expect(screen.getByRole('button')).toHaveFocus();
  return document.querySelector('.Tooltip')?.textContent ?? null;
}

it('says its words beside it where there is no room for them, and only there', async () => {
  const button = <Button icon="chat" brief="New thread" />;
  expect(await walked(button)).toBeNull();
  const narrow = document.createElement('style');
  narrow.textContent = '[data-wide] { position: absolute }';
  document.head.append(narrow);
  await userEvent.tab({ shift: true });
  await userEvent.tab();
  expect(document.querySelector('.Tooltip')).toHaveTextContent('New thread');
  expect(screen.getByRole('button', { name: 'New thread' })).toBeVisible();
});

it('says beside it what its words leave out: its keys, and more of a name', async () => {
  expect(await walked(<Button icon="add" brief="New session" keys="Mod+N" />)).toBe(
    'New sessionCtrl+N',
  );
});

it('says the name that its words do not have', async () => {
  const label = 'Instructions: set';
  expect(await walked(<Button icon="book" brief="Instructions" aria-label={label} />)).toBe(label);
});

it('keeps its words in a drawer, which has room for them in the smallest window', () => {
  const narrow = document.createElement('style');
  const css = readFileSync(path.resolve(import.meta.dirname, '../../styles/base.css'), 'utf8');
  // jsdom has no width.
  narrow.textContent = css.replaceAll('(max-width: 520px)', 'screen');
  document.head.append(narrow);
  render(
    <>
      <Button icon="note" brief="Reminders" />
      <div className="Drawer">
        <Button icon="add" brief="New session" />
      </div>
    </>,
  );
  expect(getComputedStyle(screen.getByText('Reminders')).position).toBe('absolute');
  expect(getComputedStyle(screen.getByText('New session')).position).not.toBe('absolute');
});
