import { waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import type { Message, TurnEvent } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { reduceTurn, type TurnState } from './turnReducer';
import { framePacer } from './framePacer';
import { TurnStore } from './turnStore';

const reply = assistantMessage(7, { parentId: 6, state: { type: 'streaming' } });

function after(...events: TurnEvent[]): TurnState {
  const turns = new TurnStore();
  turns.begin(1);
  return events.reduce((state, event) => reduceTurn(state, event, 1_000), turns.get(1));
}

const nextFrame = () => new Promise((done) => requestAnimationFrame(done));

const refused = { kind: 'rateLimited' as const, retryAfterMs: 2_000, message: '' };

describe('a turn as it is heard', () => {
  it('waits no longer for another attempt once a tool is called', () => {
    const call = {
      callId: 'a',
      name: 'grep',
      args: '{}',
      state: { type: 'pending' as const },
      signature: null,
    };
    const retrying = { type: 'retrying', error: refused, waitMs: 2_000, attempt: 1 } as const;
    const { waiting } = after({ type: 'message', message: reply }, retrying, {
      type: 'toolCall',
      messageId: 7,
      call,
    });
    expect(waiting).toEqual({ type: 'none' });
  });

  it('grows one part for each stretch of one kind', () => {
    const { live } = after(
      { type: 'message', message: reply },
      { type: 'reasoning', messageId: 7, delta: 'I ' },
      { type: 'reasoning', messageId: 7, delta: 'see' },
      { type: 'text', messageId: 7, delta: 'Hel' },
      { type: 'text', messageId: 7, delta: 'lo' },
    );
    expect(live).toEqual([
      {
        ...reply,
        parts: [
          { type: 'reasoning', text: 'I see', signature: null },
          { type: 'text', text: 'Hello' },
        ],
      },
    ]);
  });

  it('keeps the growing text as it arrives, from what was said before on', () => {
    const begun: Message = { ...reply, parts: [{ type: 'text', text: 'Hel' }] };
    const heard: TurnEvent[] = [
      { type: 'message', message: begun },
      { type: 'text', messageId: 7, delta: 'lo' },
      { type: 'text', messageId: 7, delta: ', you' },
    ];
    expect(after(...heard).streamingText).toEqual({
      messageId: 7,
      portions: ['Hel', 'lo', ', you'],
    });
    const thought: TurnEvent = { type: 'reasoning', messageId: 7, delta: 'Hm' };
    expect(after(...heard, thought).streamingText).toBeNull();
    const next: TurnEvent = { type: 'text', messageId: 7, delta: 'So' };
    expect(after(...heard, thought, next).streamingText).toEqual({
      messageId: 7,
      portions: ['So'],
    });
    expect(after(...heard, { type: 'message', message: begun }).streamingText).toBeNull();
  });

  it('takes the stored message for what was live', () => {
    const stored: Message = {
      ...reply,
      parts: [{ type: 'text', text: 'Hello' }],
      state: { type: 'complete' },
    };
    const { live, waiting } = after(
      { type: 'message', message: reply },
      { type: 'text', messageId: 7, delta: 'Hel' },
      { type: 'message', message: stored },
    );
    expect({ live, waiting }).toEqual({ live: [stored], waiting: { type: 'none' } });
  });

  it('knows how much of the arguments of each call is written', () => {
    const written = (callId: string, chars: number) =>
      ({ type: 'arguments', messageId: 7, callId, chars }) as const;
    const begun = { type: 'message', message: reply } as const;
    const state = after(begun, written('a', 8), written('b', 5), written('a', 900));
    expect(state.argumentChars).toEqual({ '7/a': 900, '7/b': 5 });
    expect(state.live).toEqual([reply]);
    expect(state.waiting).toEqual({ type: 'none' });
    const whole = { type: 'message', message: { ...reply, state: { type: 'complete' } } } as const;
    expect(reduceTurn(state, whole, 0).argumentChars).toEqual({});
  });

  it('asks once, and no longer when the call goes on', () => {
    const question: TurnEvent = {
      type: 'question',
      question: {
        messageId: 7,
        callId: 'c',
        tool: 'write_file',
        effect: 'writes',
        grant: 'write_file',
        preview: null,
      },
    };
    expect(after(question).questions).toHaveLength(1);
    const running: TurnEvent = {
      type: 'tool',
      messageId: 7,
      callId: 'c',
      state: { type: 'running', startedAt: 1 },
      progress: null,
    };
    expect(after(question, running).questions).toEqual([]);
    expect(after(question, { ...running, messageId: 5 }).questions).toHaveLength(1);
  });

  it('counts down to the moment the provider named', () => {
    const retrying = { type: 'retrying' as const, error: refused, waitMs: 2_000, attempt: 1 };
    expect(after(retrying).waiting).toEqual({
      type: 'retry',
      fault: refused,
      until: 3_000,
      attempt: 1,
    });
  });

  it('is told once for all that is heard before a frame, in its order', async () => {
    const turns = new TurnStore();
    turns.begin(1);
    const told = vi.fn();
    turns.watch(1, told);
    turns.receive(1, { type: 'message', message: reply });
    turns.receive(1, { type: 'text', messageId: 7, delta: 'war' });
    turns.receive(1, { type: 'text', messageId: 7, delta: 'p' });
    expect(told).not.toHaveBeenCalled();
    await nextFrame();
    expect(told).toHaveBeenCalledTimes(1);
    expect(turns.get(1).live).toEqual([{ ...reply, parts: [{ type: 'text', text: 'warp' }] }]);
  });

  it('keeps what was live until it is read from the store, then lets it go', async () => {
    const turns = new TurnStore();
    const turn = turns.begin(1);
    turns.receive(1, { type: 'message', message: reply });
    await nextFrame();
    turns.clearLive(1);
    expect(turns.get(1).live).toHaveLength(1);
    turns.end(1, turn, null);
    expect(turns.get(1)).toMatchObject({ running: false, live: [reply] });
    turns.clearLive(1);
    expect(turns.get(1).live).toEqual([]);
  });

  it('keeps the turn before in sight when the next one begins at once', () => {
    const turns = new TurnStore();
    const turn = turns.begin(1);
    turns.receive(1, { type: 'message', message: reply });
    turns.end(1, turn, null);
    turns.begin(1);
    expect(turns.get(1)).toMatchObject({ running: true, live: [reply] });
  });

  it('shows the end of a turn behind the next key while the user types', async () => {
    const turns = new TurnStore();
    const turn = turns.begin(1);
    const typing = vi.spyOn(framePacer, 'isTyping').mockReturnValue(true);
    turns.end(1, turn, null);
    expect(turns.get(1)).toMatchObject({ running: true });
    await waitFor(() => {
      expect(turns.get(1)).toMatchObject({ running: false });
    });
    typing.mockRestore();
  });

  it('does not hear of the end of a turn when another has begun since', () => {
    const turns = new TurnStore();
    const first = turns.begin(1);
    const second = turns.begin(1);
    turns.end(1, first, null);
    expect(turns.get(1)).toMatchObject({ running: true });
    turns.end(1, second, null);
    expect(turns.get(1)).toMatchObject({ running: false });
  });

  it('shows nothing any more of a branch that was left while it grew', () => {
    const asked: Message = { ...reply, id: 6, parentId: 5, role: 'user', origin: 'person' };
    const askedAnew: Message = { ...asked, id: 8 };
    const { live } = after(
      { type: 'message', message: { ...asked, id: 5, parentId: 4 } },
      { type: 'message', message: asked },
      { type: 'message', message: reply },
      { type: 'message', message: askedAnew },
    );
    expect(live.map(({ id }) => id)).toEqual([5, 8]);
  });

  it('goes on as it was, with its question, where another could not begin beside it', async () => {
    const turns = new TurnStore();
    const first = turns.begin(1);
    const asking = {
      messageId: 7,
      callId: 'c',
      tool: 'write_file',
      effect: 'writes',
      grant: 'write_file',
      preview: null,
    } as const;
    turns.receive(1, { type: 'message', message: reply });
    turns.receive(1, { type: 'question', question: asking });
    await nextFrame();
    const before = turns.get(1);
    const second = turns.begin(1);
    turns.receive(1, { type: 'text', messageId: 7, delta: 'warp' });
    turns.receive(1, { type: 'question', question: asking });
    turns.rollBack(1, second, before);
    expect(turns.get(1)).toEqual({
      ...before,
      live: [{ ...reply, parts: [{ type: 'text', text: 'warp' }] }],
    });
    turns.end(1, first, null);
    expect(turns.get(1)).toMatchObject({ running: false, questions: [] });
  });
});
