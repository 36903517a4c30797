import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../../ipc';
import type { SessionOverride, SessionOverrides } from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { backendWith, renderPart, sidebarElement } from '../../../test/render';
import { InstructionsDialog } from './InstructionsDialog';
import { SessionOverlays, type SessionOverlay } from './SessionOverlays';

/** The list, and what it opens over the window. */
function Sessions() {
  const [opened, setOpened] = useState<SessionOverlay | null>(null);
  return (
    <>
      {sidebarElement(setOpened)}
      {opened && (
        <SessionOverlays
          opened={opened}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </>
  );
}

const wordsOf = (text: string) => text.split(' ').filter((word) => word !== '');

/** A session with a folder; a word takes a token. */
async function open(changed: Partial<Backend['commands']> = {}) {
  let overrides: SessionOverrides = { folder: '/loom' };
  const commands = {
    session: () =>
      Promise.resolve({ ...emptySession, session: { ...emptySession.session, overrides } }),
    draftSize: (_id, { text }) => Promise.resolve({ tokens: wordsOf(text).length, limit: null }),
    setOverride: vi.fn((_id: number, { name, value }: SessionOverride) => {
      overrides = { ...overrides, [name]: value };
      return Promise.resolve(null);
    }),
    ...changed,
  } satisfies Partial<Backend['commands']>;
  const { user } = renderPart(<Sessions />, backendWith(commands));
  await user.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Instructions' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Instructions' }));
  const box = dialog.getByRole('textbox', { name: 'Instructions for Wool' });
  return { user, dialog, box, commands, kept: () => overrides };
}

const gone = () =>
  waitFor(() => {
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
  });

it('keeps instructions beside what else the session has decided, and says what they take', async () => {
  const { user, dialog, box, kept } = await open();
  await user.type(box, 'Answer in rhymes.');
  await waitFor(() => {
    expect(box).toHaveAccessibleDescription(/: 3 tokens each time/);
  });
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  await gone();
  expect(kept()).toEqual({ folder: '/loom', instructions: 'Answer in rhymes.' });
});

it('never says that words take nothing while they are counted', async () => {
  const counting: (() => void)[] = [];
  const { user, box } = await open({
    draftSize: async (_id, { text }) => {
      const words = wordsOf(text);
      if (words.length > 0) await new Promise<void>((resolve) => counting.push(resolve));
      return { tokens: words.length, limit: null };
    },
  });
  const counted = async (asked: number) => {
    await waitFor(() => {
      expect(counting).toHaveLength(asked);
    });
    counting.forEach((done) => {
      done();
    });
  };
  expect(box).toHaveAccessibleDescription(/session\.$/);
  await user.click(box);
  await user.paste('Be brief.');
  expect(box).toHaveAccessibleDescription(/: … tokens each time/);
  await counted(1);
  await waitFor(() => {
    expect(box).toHaveAccessibleDescription(/: 2 tokens each time/);
  });
  await user.paste(' Always.');
  await waitFor(() => {
    expect(counting).toHaveLength(2);
  });
  expect(box).toHaveAccessibleDescription(/: 2 tokens each time/);
  await counted(2);
  await waitFor(() => {
    expect(box).toHaveAccessibleDescription(/: 3 tokens each time/);
  });
  await user.clear(box);
  expect(box).toHaveAccessibleDescription(/session\.$/);
});

it('asks before what was written is lost by Esc or its ×, and leaves it as it was with Cancel', async () => {
  const { user, dialog, box, kept } = await open();
  await user.type(box, 'Be brief.');
  const asked = () => within(screen.getByRole('dialog', { name: 'Discard what you typed?' }));
  // A browser closes a modal dialog with Esc by asking it; jsdom does not.
  fireEvent(
    screen.getByRole('dialog', { name: 'Instructions' }),
    new Event('cancel', { cancelable: true }),
  );
  await user.click(asked().getByRole('button', { name: 'Keep editing' }));
  expect(box).toHaveValue('Be brief.');
  expect(kept().instructions).toBeUndefined();
  await user.click(dialog.getByRole('button', { name: 'Close' }));
  await user.click(asked().getByRole('button', { name: 'Discard' }));
  await gone();
  await user.click(screen.getByRole('button', { name: 'Actions for Wool' }));
  await user.click(await screen.findByRole('menuitem', { name: 'Instructions' }));
  await user.type(await screen.findByRole('textbox', { name: /^Instructions/ }), 'Be long.');
  await user.click(screen.getByRole('button', { name: 'Cancel' }));
  await gone();
  expect(kept().instructions).toBeUndefined();
});

it('stays open with the words where they could not be kept', async () => {
  const { user, dialog, box } = await open({
    setOverride: () => Promise.reject(new Error('the disk is gone')),
  });
  await user.type(box, 'Be brief.');
  await user.click(dialog.getByRole('button', { name: 'Save' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is gone');
  expect(box).toHaveValue('Be brief.');
});

it('says why the instructions cannot be read, and reads them when it is asked to', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const backend = backendWith({
    session: () =>
      Promise.reject(Object.assign(new Error(), { kind: 'databaseLocked', path: '/db' })),
  });
  const { user } = renderPart(<InstructionsDialog sessionId={1} onClose={vi.fn()} />, backend);
  const dialog = within(await screen.findByRole('dialog', { name: 'Instructions' }));
  expect(dialog.getByRole('alert')).toHaveTextContent('Another program is using /db');
  backend.commands.session = () => Promise.resolve(emptySession);
  await user.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByRole('textbox', { name: 'Instructions for Wool' })).toBeVisible();
});
