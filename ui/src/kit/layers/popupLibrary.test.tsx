import { render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';

const nothing = () => undefined;

/** A menu and its modules, of which no popup is loaded yet. */
async function renderMenu() {
  const { LanguageProvider, loadLanguage } = await import('../../i18n');
  const { ToastProvider } = await import('../notifications/Toast');
  const { Button } = await import('../controls/Button');
  const { Menu, MenuItem } = await import('../controls/Menu');
  await import('../a11y/restoreFocus');
  await loadLanguage('en');
  render(
    <LanguageProvider choice="en">
      <ToastProvider>
        <Menu trigger={<Button>Actions</Button>}>
          <MenuItem onSelect={nothing}>Copy</MenuItem>
        </Menu>
      </ToastProvider>
    </LanguageProvider>,
  );
  return { user: userEvent.setup(), button: screen.getByRole('button', { name: 'Actions' }) };
}

beforeEach(() => {
  vi.resetModules();
});

test('a menu that is pressed before it is loaded opens when it is', async () => {
  const { user, button } = await renderMenu();
  await user.click(button);
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeVisible();
});

test('a focused button keeps the focus when its menu is loaded', async () => {
  const { user, button } = await renderMenu();
  await user.tab();
  expect(button).toHaveFocus();
  const { loadPopups } = await import('./popupLibrary');
  await loadPopups();
  await waitFor(() => {
    expect(button).not.toBeInTheDocument();
    expect(screen.getByRole('button', { name: 'Actions' })).toHaveFocus();
  });
  await user.keyboard('{Enter}');
  expect(await screen.findByRole('menuitem', { name: 'Copy' })).toBeVisible();
});

test('a menu that cannot be loaded says so', async () => {
  vi.spyOn(console, 'error').mockImplementation(nothing);
  vi.doMock('../popups', () => {
    throw new Error('no such file');
  });
  const { user, button } = await renderMenu();
  await user.click(button);
  expect(await screen.findByRole('alert')).toHaveTextContent('This could not be loaded.');
  vi.doUnmock('../popups');
});
