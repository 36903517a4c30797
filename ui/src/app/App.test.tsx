import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import type { SettingsView } from '../ipc/bindings';
import { memoryBackend, plainSettings, settingsView } from '../ipc/memory';
import { App } from './App';

it('shows the sessions, the conversation and the box, and sends what is written', async () => {
  const person = userEvent.setup();
  render(<App backend={memoryBackend()} />);
  expect(await screen.findByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Wool' })).toBeVisible();
  expect(await screen.findByRole('log', { name: 'Conversation' })).toBeVisible();
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await person.type(box, 'hello{Enter}');
  expect(box).toHaveValue('');
});

it('shows nothing in another language before it knows the person’s', async () => {
  const backend = memoryBackend();
  let answer: (view: SettingsView) => void = () => undefined;
  const settings = () =>
    new Promise<SettingsView>((resolve) => {
      answer = resolve;
    });
  Object.assign(backend.commands, { settings });
  const { container } = render(<App backend={backend} />);
  await act(() => Promise.resolve());
  expect(container).toHaveTextContent('');
  const appearance = { ...plainSettings.appearance, language: 'chinese' as const };
  answer(settingsView({ ...plainSettings, appearance }));
  expect(await screen.findByRole('navigation', { name: '会话' })).toBeVisible();
});

it('names the estimate and the health in the composer', async () => {
  render(<App backend={memoryBackend()} />);
  const estimate = await screen.findByRole('button', { name: 'Context estimate' });
  await expect.poll(() => estimate.textContent).toBe('1.2k / 8.2k');
  expect(screen.getByRole('img', { name: 'Context health: unknown' })).toBeVisible();
});

it('asks for the one first session where there is none, however often it is loaded', async () => {
  const backend = memoryBackend();
  const firstSession = vi.fn(() => Promise.resolve(1));
  const createSession = vi.fn(() => Promise.resolve(2));
  const sessions = () => Promise.resolve([]);
  Object.assign(backend.commands, { sessions, firstSession, createSession });
  render(<App backend={backend} />).unmount();
  render(<App backend={backend} />);
  await waitFor(() => {
    expect(firstSession).toHaveBeenCalled();
  });
  expect(createSession).not.toHaveBeenCalled();
});
