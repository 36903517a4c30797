import { act, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { Backend } from '../ipc';
import type { Draft, SessionView, Topic } from '../ipc/bindings';
import { plainSession } from '../ipc/memory';
import { useSession } from '../state/reading';
import { Composer } from './Composer';

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
        />
      )}
    </>
  );
}

/** As Rust keeps it: one draft, of which nobody is told when it is saved. */
function open(commands: Partial<Backend['commands']> = {}) {
  const stored = { draft: draftOf('') };
  const backend = answering({
    session: (): Promise<SessionView> => Promise.resolve({ ...plainSession, draft: stored.draft }),
    saveDraft: (_session, draft) => {
      stored.draft = draft;
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
  return { stored, changed, ...show(<Session />, backend) };
}

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
  const { person } = open({ send });
  await person.type(await box(), 'Red wool{Enter}');
  expect(await box()).toHaveValue('');
  await person.type(await box(), 'Blue silk');
  refuse(Object.assign(new Error(), { kind: 'diskFull', path: '/db' }));
  await waitFor(async () => {
    expect(await box()).toHaveValue('Red wool\n\nBlue silk');
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
  const { person, stored } = open({ send });
  await person.type(await box(), 'Red wool{Enter}');
  await person.click(look());
  refuse();
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Red wool'));
  });
  await person.click(look());
  expect(await box()).toHaveValue('Red wool');
});

it('P07 joins a message that came back with what is written in the box by then', async () => {
  const send = () => new Promise<never>(() => undefined);
  const { person, stored, changed } = open({ send });
  await person.type(await box(), 'Red wool{Enter}');
  await person.type(await box(), 'Blue');
  stored.draft = draftOf('Red wool');
  await changed();
  await waitFor(async () => {
    expect(await box()).toHaveValue('Red wool\n\nBlue');
  });
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Red wool\n\nBlue'));
  });
});

it('takes no older words of its own for some that came back', async () => {
  const { person, stored, changed } = open();
  await person.type(await box(), 'Red');
  await waitFor(() => {
    expect(stored.draft).toEqual(draftOf('Red'));
  });
  await person.clear(await box());
  await changed();
  expect(await box()).toHaveValue('');
});

it('shows what was written again after a look elsewhere, and says it to whoever counts it', async () => {
  const { person } = open();
  await person.type(await box(), 'Red wool');
  await person.click(look());
  expect(screen.getByRole('status')).toHaveTextContent('Red wool');
  await person.click(look());
  expect(await box()).toHaveValue('Red wool');
});
