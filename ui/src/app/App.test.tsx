import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { App } from './App';

test('the window has sessions, a conversation and a box for the message', () => {
  render(<App />);
  expect(screen.getByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(screen.getByRole('log', { name: 'Conversation' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: 'Message' })).toBeVisible();
});
