import { readFileSync } from 'node:fs';
import path from 'node:path';
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SettingsView } from '../ipc/bindings';
import { fakeBackend, defaultSettings, settingsViewOf } from '../../test/fakeBackend';
import { renderApp } from '../../test/render';
import { bootstrap } from './bootstrap';

it('shows the sessions, the conversation and the box, and sends what is written', async () => {
  const { user } = renderApp();
  expect(await screen.findByRole('navigation', { name: 'Sessions' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Wool' })).toBeVisible();
  expect(await screen.findByRole('log', { name: 'Conversation' })).toBeVisible();
  const box = await screen.findByRole('textbox', { name: 'Message' });
  await user.type(box, 'hello{Enter}');
  expect(box).toHaveValue('');
});

it('keeps the frame of the page until the first frame of the window is whole, in the person’s language', async () => {
  const backend = fakeBackend();
  let answer: (view: SettingsView) => void = () => undefined;
  const settings = () =>
    new Promise<SettingsView>((resolve) => {
      answer = resolve;
    });
  Object.assign(backend.commands, { settings });
  const page = readFileSync(path.resolve(import.meta.dirname, '../../index.html'), 'utf8');
  const { body } = new DOMParser().parseFromString(page, 'text/html');
  const root = document.body.appendChild(body.querySelector<HTMLElement>('#root') ?? body);
  const started = bootstrap(root, backend);
  await Promise.resolve();
  expect([...(root.firstElementChild?.children ?? [])].map(({ className }) => className)).toEqual([
    'shell-side',
    'shell-head',
    'shell-box',
  ]);
  const appearance = { ...defaultSettings.appearance, language: 'chinese' as const };
  answer(settingsViewOf({ ...defaultSettings, appearance }));
  await act(() => started);
  expect(screen.getByRole('navigation', { name: '会话' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Wool' })).toBeVisible();
  expect(screen.getByRole('textbox', { name: '消息' })).toBeVisible();
  expect(root.querySelector('.shell')).toBeNull();
  root.remove();
});

it('names the estimate and the health in the composer', async () => {
  renderApp();
  const estimate = await screen.findByRole('button', { name: 'Context estimate' });
  await expect.poll(() => estimate.textContent).toBe('1.2k / 8.2k');
  expect(screen.getByRole('img', { name: 'Context health: unknown' })).toBeVisible();
});

it('asks for the one first session where there is none, however often it is loaded', async () => {
  const backend = fakeBackend();
  const firstSession = vi.fn(() => Promise.resolve(1));
  const createSession = vi.fn(() => Promise.resolve(2));
  const sessions = () => Promise.resolve([]);
  Object.assign(backend.commands, { sessions, firstSession, createSession });
  renderApp(backend).unmount();
  renderApp(backend);
  await waitFor(() => {
    expect(firstSession).toHaveBeenCalled();
  });
  expect(createSession).not.toHaveBeenCalled();
});

it('has what is written checked for its spelling, unless the person wants none of it', async () => {
  for (const [spelling, checks] of [
    ['checked', 'true'],
    ['unchecked', 'false'],
  ] as const) {
    const appearance = { ...defaultSettings.appearance, spelling };
    const { unmount } = renderApp(fakeBackend(settingsViewOf({ ...defaultSettings, appearance })));
    const box = await screen.findByRole('textbox', { name: 'Message' });
    expect(box.closest('[spellcheck]')).toHaveAttribute('spellcheck', checks);
    unmount();
  }
});
