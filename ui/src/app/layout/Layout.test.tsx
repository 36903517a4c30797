import { fireEvent, render, screen, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';
import { LanguageProvider } from '../../i18n';
import { Dialog } from '../../kit/overlays/Dialog';
import { topOverlay } from '../../kit/layers/overlayStack';
import { Layout } from './Layout';

const onSidebar = vi.fn();
const onClose = vi.fn();

const view = (narrow: boolean, over: boolean, opened: ReactNode = null) => (
  <LanguageProvider choice="en">
    <Layout
      sidebar={
        <>
          <a href="#wool">Wool</a>
          {opened}
        </>
      }
      narrow={narrow}
      sidebarOpen={narrow || !over}
      onSidebar={onSidebar}
      conversation={<textarea aria-label="Message" />}
      panel={{ name: 'Reminders', overlaps: over, onClose, content: <p>Red wool</p> }}
    />
  </LanguageProvider>
);

const frame = (narrow: boolean, over: boolean) => render(view(narrow, over));

it('has all three beside each other where there is room: nothing is inert', () => {
  frame(false, false);
  expect(screen.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(screen.getByText('Red wool')).toBeVisible();
  expect(topOverlay()).toBeNull();
});

it('has the sessions in a drawer where there is none: the keyboard stays in it, its keys close it', () => {
  frame(true, false);
  const drawer = screen.getByRole('dialog', { name: 'Sessions' });
  expect(within(drawer).getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(topOverlay()).toBe(drawer);
  expect(drawer).not.toContainElement(screen.getByRole('textbox', { name: 'Message' }));
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  expect(onSidebar).toHaveBeenCalledExactlyOnceWith(false);
});

it('leaves its keys to what lies over the drawer: something may be written there', () => {
  onSidebar.mockClear();
  const { rerender } = frame(true, false);
  const opened = (
    <Dialog title="Instructions" onClose={vi.fn()}>
      Spin.
    </Dialog>
  );
  rerender(view(true, false, opened));
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  expect(onSidebar).not.toHaveBeenCalled();
});

it('has the panel in a drawer where there is none: a click beside it closes it', () => {
  frame(false, true);
  const drawer = screen.getByRole('dialog', { name: 'Reminders' });
  expect(within(drawer).getByText('Red wool')).toBeVisible();
  expect(topOverlay()).toBe(drawer);
  fireEvent.mouseDown(drawer, { clientX: 500, clientY: 500 });
  expect(onClose).toHaveBeenCalledOnce();
});
