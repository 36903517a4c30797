import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Message } from '../../ipc/bindings';
import { transcriptPage, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { ReplyShortcuts } from './ReplyShortcuts';

const asked = assistantMessage(1, { role: 'user', origin: 'person' });
const reply = assistantMessage(2, {
  role: 'assistant',
  origin: 'model',
  parts: [{ type: 'text', text: 'Of wool.' }],
});
const card = assistantMessage(3, { kind: { type: 'card' }, role: 'user', origin: 'runtime' });

function open(said: readonly Message[], readOnly = false) {
  const regenerate = vi.fn(() => Promise.resolve({ type: 'answered' as const }));
  const backend = backendWith({
    transcript: () => Promise.resolve(transcriptPage(...said)),
    stop: () => Promise.resolve(null),
    watch: () => Promise.resolve(true),
    regenerate,
  });
  const copy = vi.spyOn(backend.desktop, 'copyFormatted');
  renderPart(<ReplyShortcuts sessionId={1} threadId={1} readOnly={readOnly} />, backend);
  const press = (key: string) =>
    fireEvent.keyDown(document.body, { key, ctrlKey: true, shiftKey: true });
  return { copy, regenerate, press };
}

it('copies the last reply, whatever stands behind it that was not said, and says so', async () => {
  const { copy, press } = open([asked, reply, card]);
  press('C');
  expect(await screen.findByText('Copied')).toBeVisible();
  expect(copy).toHaveBeenCalledExactlyOnceWith('Of wool.', '<p>Of wool.</p>');
});

const blank = { ...reply, id: 4, parts: [{ type: 'text' as const, text: '\n' }] };

it('copies what the last reply said before it only called tools', async () => {
  const { copy, press } = open([asked, reply, blank]);
  press('C');
  expect(await screen.findByText('Copied')).toBeVisible();
  expect(copy).toHaveBeenCalledExactlyOnceWith('Of wool.', '<p>Of wool.</p>');
});

it('leaves the clipboard as it is where the last reply says nothing, and says so', async () => {
  const { copy, press } = open([asked, reply, { ...asked, id: 3 }, blank]);
  press('C');
  expect(await screen.findByText('There is no reply to copy yet.')).toBeVisible();
  expect(copy).not.toHaveBeenCalled();
  expect(screen.queryByText('Copied')).toBeNull();
});

it('has the last reply written anew', async () => {
  const { regenerate, press } = open([asked, reply]);
  press('G');
  await waitFor(() => {
    expect(regenerate).toHaveBeenCalledExactlyOnceWith(1, 2, null, expect.anything());
  });
});

it('leaves alone what is still being said, what nobody has answered, and a thread that has ended', async () => {
  const growing: Message = { ...reply, state: { type: 'streaming' } };
  for (const given of [open([asked, growing]), open([reply, { ...asked, id: 4 }])]) {
    given.press('C');
    given.press('G');
    await Promise.resolve();
    expect(given.regenerate).not.toHaveBeenCalled();
    expect(given.copy).not.toHaveBeenCalled();
  }
});

it('has nothing written anew in a thread that has ended', async () => {
  const { regenerate, copy, press } = open([asked, reply], true);
  press('G');
  press('C');
  await waitFor(() => {
    expect(copy).toHaveBeenCalledOnce();
  });
  expect(regenerate).not.toHaveBeenCalled();
});
