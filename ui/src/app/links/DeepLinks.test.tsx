import { readFileSync } from 'node:fs';
import path from 'node:path';
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Attachment, DeepLink } from '../../ipc/bindings';
import { backendWith, renderPart } from '../../../test/render';
import { stableForMs } from '../../kit/a11y/useStablePosition';
import { DeepLinks } from './DeepLinks';

const attached: Attachment = {
  type: 'file',
  blob: 3,
  name: 'notes.md',
  mediaType: 'text/markdown',
  bytes: 12,
};
const model = { provider: 'demo', model: 'demo-8k' };

function follow(link: DeepLink, before: () => void = () => undefined) {
  const newChat = vi.fn(() => Promise.resolve(7));
  const createSession = vi.fn(() => Promise.resolve(8));
  const providers = () => Promise.resolve([]);
  const added = { servers: [], replaced: [], asking: [], problems: [] };
  const addMcpServers = vi.fn(() => Promise.resolve(added));
  const attachFile = vi.fn(() => Promise.resolve(attached));
  const backend = backendWith({
    newChat,
    createSession,
    providers,
    addMcpServers,
    attachFile,
  });
  let arrives: (link: DeepLink) => void = () => undefined;
  backend.links = (opened) => {
    arrives = opened;
    return () => undefined;
  };
  const toSession = vi.fn();
  const { user } = renderPart(
    <>
      <input aria-label="Box" />
      <DeepLinks
        navigation={{
          toSession,
          toHit: vi.fn(),
          toSettings: vi.fn(),
          toProvider: vi.fn(),
          toReminders: vi.fn(),
          toNewSession: vi.fn(),
          toShortcuts: vi.fn(),
        }}
      />
    </>,
    backend,
  );
  before();
  const arrive = (link: DeepLink) => {
    act(() => {
      arrives(link);
    });
  };
  arrive(link);
  return { newChat, attachFile, createSession, addMcpServers, toSession, user, arrive };
}

it('opens the one session that has the words of a link, and makes none beside it', async () => {
  const { newChat, createSession, toSession } = follow({
    type: 'newChat',
    prompt: 'Hi',
    model: 'demo-8k',
  });
  await waitFor(() => {
    expect(toSession).toHaveBeenCalledExactlyOnceWith(7);
  });
  expect(newChat).toHaveBeenCalledExactlyOnceWith('Hi', [], model);
  expect(createSession).not.toHaveBeenCalled();
});

it('attaches a file that the program was opened with to a new session, and sends nothing', async () => {
  const { newChat, attachFile, toSession } = follow({ type: 'file', path: '/home/ada/notes.md' });
  await waitFor(() => {
    expect(toSession).toHaveBeenCalledExactlyOnceWith(7);
  });
  expect(attachFile).toHaveBeenCalledExactlyOnceWith('/home/ada/notes.md');
  expect(newChat).toHaveBeenCalledExactlyOnceWith('', [attached], null);
});

it('takes the focus from nobody who types: it waits until it is followed', async () => {
  const box = () => screen.getByRole('textbox', { name: 'Box' });
  const type = () => {
    box().focus();
    fireEvent.input(box(), { target: { value: 'wo' } });
  };
  const { newChat, toSession, user } = follow({ type: 'newChat', prompt: 'Hi', model: null }, type);
  const way = await screen.findByRole('button', { name: 'Follow it' });
  expect(box()).toHaveFocus();
  expect(newChat).not.toHaveBeenCalled();
  await user.click(way);
  await waitFor(() => {
    expect(toSession).toHaveBeenCalledExactlyOnceWith(7);
  });
});

it('says so where nobody offers the model of a link, and keeps the usual one', async () => {
  const { newChat, toSession } = follow({ type: 'newChat', prompt: 'Hi', model: 'gone' });
  await waitFor(() => {
    expect(toSession).toHaveBeenCalledExactlyOnceWith(7);
  });
  expect(newChat).toHaveBeenCalledExactlyOnceWith('Hi', [], null);
  expect(screen.getByText(/gone/)).toBeVisible();
});

it('has no place in which a part of the server that a link suggests is scrolled away', () => {
  const styles = readFileSync(path.resolve(import.meta.dirname, '../App.css'), 'utf8');
  const rule = /\.InstallDialog-config \{([^}]*)\}/u.exec(styles)?.[1];
  expect(rule).toContain('white-space: pre-wrap;');
  expect(rule).toContain('overflow-wrap: anywhere;');
  expect(rule).not.toMatch(/overflow:|max-height/u);
});

it('shows all of the server that a link suggests, also what is not seen by itself', async () => {
  const pasted = '{"command": "run", "args": ["\u202Esafe", "a\u200Bb"]}';
  follow({ type: 'installServer', name: 'time\u202E', pasted });
  const dialog = await screen.findByRole('dialog', { name: /time⟨U\+202E⟩/u });
  expect(dialog).toHaveTextContent('"⟨U+202E⟩safe", "a⟨U+200B⟩b"');
});

it('adds no server that nobody could have read: neither the first nor the one behind it', async () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0);
  const { addMcpServers, user, arrive } = follow({
    type: 'installServer',
    name: 'time',
    pasted: '{"command": "time"}',
  });
  const yes = () => screen.getByRole('button', { name: 'Add server' });
  await screen.findByRole('dialog', { name: /time/ });
  await user.click(yes());
  expect(addMcpServers).not.toHaveBeenCalled();
  arrive({ type: 'installServer', name: 'evil', pasted: '{"command": "evil"}' });
  clock.mockReturnValue(stableForMs);
  await user.click(yes());
  expect(addMcpServers).toHaveBeenCalledExactlyOnceWith('{"command": "time"}');
  await screen.findByRole('dialog', { name: /evil/ });
  await user.click(yes());
  expect(addMcpServers).toHaveBeenCalledOnce();
  clock.mockRestore();
});

it('shows a session that was chosen in the tray also while the user types', async () => {
  const type = () => {
    const box = screen.getByRole('textbox', { name: 'Box' });
    box.focus();
    fireEvent.input(box, { target: { value: 'wo' } });
  };
  const { toSession } = follow({ type: 'showSession', sessionId: 1 }, type);
  await waitFor(() => {
    expect(toSession).toHaveBeenCalledExactlyOnceWith(1);
  });
});
