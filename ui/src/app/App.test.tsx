import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Backend } from '../ipc';
import { App } from './App';

const backend: Backend = {
  commands: { version: () => Promise.resolve('0.1.0') },
  desktop: {
    openLink: () => Promise.resolve(),
    copyText: () => Promise.resolve(),
    pickFiles: () => Promise.resolve([]),
    pickFolder: () => Promise.resolve(null),
    pickTarget: () => Promise.resolve(null),
    onDrop: () => Promise.resolve(() => undefined),
    setZoom: () => Promise.resolve(),
  },
};

test('the window has sessions, a conversation and a box for the message', () => {
  render(<App backend={backend} />);
  expect(screen.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Message' })).toBeVisible();
});

test('a key puts the sidebar away and brings it back', () => {
  render(<App backend={backend} />);
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  expect(screen.queryByRole('navigation', { name: 'Sessions' })).not.toBeInTheDocument();
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  expect(screen.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
});
