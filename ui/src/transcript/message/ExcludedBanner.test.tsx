import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Message } from '../../ipc/bindings';
import { transcriptItem, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { TranscriptRow } from '../rows/TranscriptRow';

const said = assistantMessage(3, {
  role: 'user',
  origin: 'person',
  parts: [{ type: 'text', text: 'Red wool' }],
});
const leftOut: Message = { ...said, inclusion: 'leftOut' };
const line = 'Left out of the context: not sent to the model.';

type OpenOptions = { last?: boolean; readOnly?: boolean; refused?: object };

function open(message: Message, { last = false, readOnly = false, refused }: OpenOptions = {}) {
  const includeMessage = vi.fn(() =>
    refused ? Promise.reject(Object.assign(new Error(), refused)) : Promise.resolve(null),
  );
  const { user } = renderPart(
    <LiveRegionProvider>
      <TranscriptRow
        item={transcriptItem(message, 3)}
        sessionId={1}
        editing={false}
        isRestored={false}
        onEditing={() => undefined}
        onCompare={() => undefined}
        onProvider={() => undefined}
        renderContextCard={() => null}
        {...{ readOnly, last }}
      />
    </LiveRegionProvider>,
    backendWith({ includeMessage }),
  );
  return { user, includeMessage };
}

async function offered({ user }: ReturnType<typeof open>) {
  await user.click(screen.getByRole('button', { name: 'More actions' }));
  const items = await screen.findAllByRole('menuitem');
  return items.map(({ textContent }) => textContent);
}

it.each<[string, Message, string[]]>([
  ['as usual', said, ['Pin', 'Leave out of the context']],
  ['pinned', { ...said, inclusion: 'pinned' }, ['Unpin']],
  ['left out', leftOut, ['Take into the context again']],
])('offers what fits a message that is %s', async (_, message, expected) => {
  expect(await offered(open(message))).toEqual([
    ...expected,
    'Summarise up to here',
    'Summarise from here',
    'Continue from here',
    'Continue in a new session',
    'Delete',
  ]);
});

it('does not offer to leave out what waits for its answer', async () => {
  expect(await offered(open(said, { last: true }))).toEqual([
    'Pin',
    'Summarise up to here',
    'Summarise from here',
    'Continue in a new session',
    'Delete',
  ]);
});

it('leaves a message out and says so', async () => {
  const opened = open(said);
  await offered(opened);
  await opened.user.click(screen.getByRole('menuitem', { name: 'Leave out of the context' }));
  expect(opened.includeMessage.mock.calls).toEqual([[said.id, 'leftOut']]);
  expect(await screen.findByText(/The message is left out of the context\./)).toBeInTheDocument();
});

it('says why a message cannot be left out', async () => {
  const opened = open(said, { refused: { kind: 'unanswered' } });
  await offered(opened);
  await opened.user.click(screen.getByRole('menuitem', { name: 'Leave out of the context' }));
  expect(await screen.findByText(/waiting for its answer/)).toBeVisible();
});

it('says over a message that it is not sent, and takes it in again with one click', async () => {
  const { user, includeMessage } = open(leftOut);
  expect(screen.getByText(line)).toBeVisible();
  expect(screen.getByRole('article', { name: 'You' })).toHaveAccessibleDescription(line);
  expect(screen.getByText('Red wool')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Copy' })).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Take into the context again' }));
  expect(includeMessage.mock.calls).toEqual([[said.id, 'usual']]);
  await waitFor(() => {
    expect(screen.getByText('The message is in the context like any other.')).toBeInTheDocument();
  });
});

it('only says so in a thread that has ended', () => {
  open(leftOut, { readOnly: true });
  expect(screen.getByText(line)).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Take into the context again' })).toBeNull();
});

it('does not offer to go on with a reply that is left out', () => {
  const reply: Message = { ...leftOut, role: 'assistant', origin: 'model' };
  open({ ...reply, state: { type: 'interrupted' } }, { last: true });
  expect(screen.getByText('Interrupted. What had arrived is kept.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Continue' })).toBeNull();
});
