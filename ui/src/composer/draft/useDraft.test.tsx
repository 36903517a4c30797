import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type {
  Draft,
  Error as AppError,
  SessionView,
  Topic,
  QueuedMessage,
} from '../../ipc/bindings';
import { emptySession } from '../../../test/fakeBackend';
import { useSession } from '../../state/queries/queries';
import { Composer } from '../Composer';

const draftOf = (text: string): Draft => ({ text, attachments: [] });

/** A session whose box can be looked away from. */
function Session() {
  const { data } = useSession(1);
  const [away, setAway] = useState(false);
  return (
    <>
      <button
        type="button"
        onClick={() => {
          setAway(!away);
        }}
      >
        Look
      </button>
      <output>{data?.draft.text}</output>
      {data && !away && (
        <Composer
          view={data}
          commands={[]}
          onEstimate={() => undefined}
          numbers={() => null}
          onSent={() => undefined}
          onEditLast={() => false}
          onPage={() => undefined}
        />
      )}
    </>
  );
}

/** A message that could not be answered. */
const returned = (text: string): QueuedMessage => ({
  id: 3,
  parts: [{ type: 'text', text }],
  forBox: true,
  createdAt: 0,
});

/** As Rust keeps it: one draft, of which nobody is told when it is saved, and what waits. */
function open(commands: Partial<Backend['commands']> = {}) {
  const stored: { draft: Draft; waiting: QueuedMessage[] } = { draft: draftOf(''), waiting: [] };
  const backend = backendWith({
    session: (): Promise<SessionView> => Promise.resolve({ ...emptySession, ...stored }),
    saveDraft: (_session, draft, taken) => {
      stored.draft = draft;
      stored.waiting = stored.waiting.filter(({ id }) => id !== taken);
      return Promise.resolve(null);
    },
    ...commands,
  });
  let tell: (topics: readonly Topic[]) => void = () => undefined;
  backend.changes = (heard) => {
    tell = heard;
    return () => undefined;
  };
  const changed = async () => {
    await act(async () => {
      tell([{ topic: 'session', sessionId: 1 }]);
      await Promise.resolve();
    });
  };
  return { stored, changed, ...renderPart(<Session />, backend) };
}

/** Until what is written has rested. */
const rests = () => act(() => new Promise((done) => setTimeout(done, 300)));
const box = () => screen.findByRole('textbox', { name: 'Message' });
const look = () => screen.getByRole('button', { name: 'Look' });
const full = () => Promise.reject(Object.assign(new Error(), { kind: 'diskFull', path: '/db' }));

it('puts what could not be stored back into the box, above what is written since', async () => {
  let refuse: (fault: Error) => void = () => undefined;
  const send = vi.fn(
    () =>
      new Promise<never>((_, reject) => {
        refuse = reject;
      }),
  );
  const { user } = open({ send });
  await user.type(await box(), 'Red wool{Enter}');
  expect(await box()).toHaveValue('');
  await user.type(await box(), 'Blue silk');
  refuse(Object.assign(new Error(), { kind: 'diskFull', path: '/db' }));
  await waitFor(async () => {
    expect(await box()).toHaveValue('Red wool\n\nBlue silk');
  });
});

it('shows a long message at once while it is on its way, and a short one where that takes long', async () => {
  const stored: (() => void)[] = [];
  const send: Backend['commands']['send'] = () =>
    new Promise((resolve) => {
      stored.push(() => {
        resolve({ type: 'answered' });
      });
    });
  const { user } = open({ send });
  fireEvent.change(await box(), { target: { value: `Red wool ${'x'.repeat(60_000)}` } });
  await user.type(await box(), '{Enter}');
  const onItsWay = screen.getByRole('region', { name: 'Sending…' });
  expect(onItsWay).toHaveTextContent(/Red wool x+…$/);
  stored.pop()?.();
  await waitFor(() => {
    expect(onItsWay).not.toBeInTheDocument();
  });
  await user.type(await box(), 'Blue silk{Enter}');
  expect(screen.queryByRole('region', { name: 'Sending…' })).toBeNull();
  expect(await screen.findByRole('region', { name: 'Sending…' })).toHaveTextContent('Blue silk');
  stored.pop()?.();
  await waitFor(() => {
    expect(screen.queryByRole('region', { name: 'Sending…' })).toBeNull();
  });
});

it('keeps what could not be stored for the box where that has gone away', async () => {
  let refuse: () => void = () => undefined;
  const send = () =>
    new Promise<never>((_, reject) => {
      refuse = () => {
        full().catch(reject);
      };
    });
  const { user, stored } = open({ send });
  await user.type(await box(), 'Red wool{Enter}');
  await user.click(look());
  refuse();
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Red wool'));
  });
  await user.click(look());
  expect(await box()).toHaveValue('Red wool');
});

it('P07 takes a message that came back into the box, from where it waits', async () => {
  const { stored, changed } = open();
  await box();
  stored.waiting = [returned('Red wool')];
  await changed();
  await waitFor(async () => {
    expect(await box()).toHaveValue('Red wool');
  });
  expect(stored).toEqual({ draft: draftOf('Red wool'), waiting: [] });
});

it('P07 leaves a message that came back beside what is written in the box by then', async () => {
  const { user, stored, changed } = open();
  await user.type(await box(), 'Blue');
  stored.waiting = [returned('Red wool')];
  await changed();
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Blue'));
  });
  await user.click(await screen.findByRole('button', { name: /^Take back into the message box/ }));
  expect(await box()).toHaveValue('Red wool\n\nBlue');
  await waitFor(() => {
    expect(stored).toEqual({ draft: draftOf('Red wool\n\nBlue'), waiting: [] });
  });
});

it('P07 does not put back what is stored, however late the window hears of it', async () => {
  const error: AppError = { kind: 'messageTooLong', tokens: 9, limit: 8 };
  const send = () => Promise.resolve({ type: 'failed' as const, error });
  const { user, stored } = open({ send });
  await user.type(await box(), 'Red wool{Enter}');
  await rests();
  expect(await box()).toHaveValue('');
  expect(stored.draft).toEqual(draftOf(''));
});

it('sends after what was being saved, so that it does not come back', async () => {
  const done: string[] = [];
  let finish: () => void = () => undefined;
  const finished = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { user } = open({
    // With slow saves, several are in progress at once.
    saveDraft: () =>
      finished.then(() => {
        done.push('saved');
        return null;
      }),
    send: () => {
      done.push('sent');
      return Promise.resolve({ type: 'answered' });
    },
  });
  await user.type(await box(), 'Red wool');
  await rests();
  await user.keyboard('{Enter}');
  expect(await box()).toHaveValue('');
  expect(done).toEqual([]);
  finish();
  await waitFor(() => {
    expect(done).toContain('sent');
  });
  expect(done[0]).toBe('saved');
});

it('takes no older words of its own for some that came back', async () => {
  const { user, stored, changed } = open();
  await user.type(await box(), 'Red');
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Red'));
  });
  await user.clear(await box());
  await changed();
  expect(await box()).toHaveValue('');
});

it('keeps what is written in the box where a message that was removed waits again', async () => {
  const { user, stored, changed } = open({
    removeWaiting: () => {
      stored.waiting = [];
      return Promise.resolve(null);
    },
    restoreWaiting: (_, taken) => {
      stored.waiting = [taken];
      return Promise.resolve(null);
    },
  });
  await user.type(await box(), 'Blue');
  stored.waiting = [{ ...returned('Red wool'), forBox: false }];
  await changed();
  await user.click(await screen.findByRole('button', { name: /^Remove/ }));
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => {
    expect(stored).toMatchObject({ draft: draftOf('Blue'), waiting: [{ forBox: false }] });
  });
});

it('shows what was written again after a look elsewhere, and says it to whoever counts it', async () => {
  const { user } = open();
  await user.type(await box(), 'Red wool');
  await user.click(look());
  expect(screen.getByRole('status')).toHaveTextContent('Red wool');
  await user.click(look());
  expect(await box()).toHaveValue('Red wool');
});

it('says so where what is written cannot be kept', async () => {
  const { user } = open({ saveDraft: full });
  await user.type(await box(), 'red wool');
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is full');
  expect(await box()).toHaveValue('red wool');
});

it('has the caret at the end of a draft that is found again', async () => {
  open({ session: () => Promise.resolve({ ...emptySession, draft: draftOf('what happens to') }) });
  expect(await box()).toHaveFocus();
  expect(await box()).toHaveProperty('selectionStart', 'what happens to'.length);
});

it('keeps what is written at the latest every second, also of whoever never rests', async () => {
  const saved: string[] = [];
  const saveDraft = (_session: number, { text }: Draft) => {
    saved.push(text);
    return Promise.resolve(null);
  };
  open({ saveDraft });
  const field = await box();
  const began = Date.now();
  let written = '';
  while (saved.length === 0 && Date.now() - began < 3_000) {
    written += 'a';
    fireEvent.change(field, { target: { value: written } });
    await act(() => new Promise((done) => setTimeout(done, 100)));
  }
  expect(saved).not.toEqual([]);
  expect(Date.now() - began).toBeLessThan(1_500);
});
