/**
 * The turn that is running: what its stream says, beside what is stored. Only what it changes
 * re-renders: the growing message by its id, the rest by a small state.
 */
import { useCallback, useSyncExternalStore } from 'react';
import type {
  Activity,
  ContentPart,
  Error as Fault,
  Message,
  Question,
  SessionView,
  Silent,
  TurnEvent,
} from '../ipc/bindings';

export type TurnState = {
  /** Messages of this turn, newest as streamed. They give way to the stored ones when it ends. */
  live: readonly Message[];
  /** The turn runs. */
  running: boolean;
  questions: readonly Question[];
  /** Words of running tools about their progress, by call. */
  progress: Readonly<Record<string, string>>;
  waiting:
    | { type: 'none' }
    | { type: 'model' }
    | { type: 'retry'; fault: Fault; until: number; attempt: number }
    | { type: 'compaction' };
  note:
    | { type: 'stuck'; floor: number; limit: number }
    | { type: 'paused' }
    | { type: 'silentOverflow'; how: Silent; read: number; sent: number }
    | null;
  fault: Fault | null;
};

const idle: TurnState = {
  live: [],
  running: false,
  questions: [],
  progress: {},
  waiting: { type: 'none' },
  note: null,
  fault: null,
};

/** Appends words to the last part of that kind, or begins one. */
function grow(parts: readonly ContentPart[], type: 'text' | 'reasoning', delta: string) {
  const last = parts.at(-1);
  if (last?.type === type) {
    return [...parts.slice(0, -1), { ...last, text: last.text + delta }];
  }
  const part: ContentPart =
    type === 'text' ? { type, text: delta } : { type, text: delta, signature: null };
  return [...parts, part];
}

/** What was said later than a new message's parent stands on another branch: it is shown no longer. */
const onTheWayTo = ({ id, parentId }: Message, live: readonly Message[]) =>
  live.filter((other) => other.id <= (parentId ?? 0) || other.id > id);

/** What was waited for has come. */
function changed(state: TurnState, id: number, change: (message: Message) => Message): TurnState {
  return {
    ...state,
    waiting: { type: 'none' },
    live: state.live.map((message) => (message.id === id ? change(message) : message)),
  };
}

/** The state after one event. Pure. */
export function follow(state: TurnState, event: TurnEvent, now: number): TurnState {
  switch (event.type) {
    case 'message': {
      const known = state.live.some(({ id }) => id === event.message.id);
      const live = known
        ? state.live.map((old) => (old.id === event.message.id ? event.message : old))
        : [...onTheWayTo(event.message, state.live), event.message];
      const streaming = event.message.state.type === 'streaming';
      return { ...state, live, waiting: { type: streaming ? 'model' : 'none' } };
    }
    case 'text':
    case 'reasoning':
      return changed(state, event.messageId, (message) => ({
        ...message,
        parts: grow(message.parts, event.type, event.delta),
      }));
    case 'toolCall':
      return changed(state, event.messageId, (message) => ({
        ...message,
        parts: [...message.parts, { type: 'tool', call: event.call }],
      }));
    case 'tool': {
      const next = changed(state, event.messageId, (message) => ({
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'tool' && part.call.callId === event.callId
            ? { ...part, call: { ...part.call, state: event.state } }
            : part,
        ),
      }));
      const asking = event.state.type === 'awaitingApproval';
      return {
        ...next,
        questions: asking
          ? next.questions
          : next.questions.filter(({ callId }) => callId !== event.callId),
        progress:
          event.progress === null
            ? next.progress
            : { ...next.progress, [event.callId]: event.progress },
      };
    }
    case 'question':
      // A window that was reloaded may hear of one twice.
      return {
        ...state,
        questions: [
          ...state.questions.filter(({ callId }) => callId !== event.question.callId),
          event.question,
        ],
      };
    case 'retrying': {
      const { error: fault, waitMs, attempt } = event;
      return { ...state, waiting: { type: 'retry', fault, until: now + waitMs, attempt } };
    }
    case 'removed':
      return { ...state, live: state.live.filter(({ id }) => id !== event.messageId) };
    case 'waitingForCompaction':
      return { ...state, waiting: { type: 'compaction' } };
    case 'moved':
      return { ...state, live: [] };
    case 'stuck':
      return { ...state, note: { type: 'stuck', floor: event.floor, limit: event.limit } };
    case 'paused':
      return { ...state, note: { type: 'paused' } };
    case 'silentOverflow':
      return { ...state, note: event };
  }
}

/** Where the window is not seen it has no frames: then a moment later. */
function beforeNextFrame(work: () => void) {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    work();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 100);
}

/** The turns of all sessions, each watched on its own. */
export class Turns {
  #states = new Map<number, TurnState>();
  #watchers = new Map<number, Set<() => void>>();
  /** What was heard and is not taken in yet. */
  #heard = new Map<number, TurnEvent[]>();
  /** How many turns a session has begun: what an earlier one says of its end is not heard. */
  #begun = new Map<number, number>();

  get(session: number): TurnState {
    return this.#states.get(session) ?? idle;
  }

  set(session: number, state: TurnState) {
    this.#states.set(session, state);
    this.#watchers.get(session)?.forEach((watcher) => {
      watcher();
    });
  }

  /** What is live of the turn before stays until it is read from the store. Returns its number. */
  begin(session: number): number {
    this.#takeIn(session);
    const { live } = this.get(session);
    this.set(session, { ...idle, live, running: true, waiting: { type: 'model' } });
    const turn = (this.#begun.get(session) ?? 0) + 1;
    this.#begun.set(session, turn);
    return turn;
  }

  /** Whether no other turn has begun since. */
  #isLatest(session: number, turn: number): boolean {
    return this.#begun.get(session) === turn;
  }

  /** Takes in what happens once for every frame: where words come faster, none is shown alone. */
  hear(session: number, event: TurnEvent) {
    const heard = this.#heard.get(session);
    if (heard) {
      heard.push(event);
      return;
    }
    this.#heard.set(session, [event]);
    beforeNextFrame(() => {
      this.#takeIn(session);
    });
  }

  #takeIn(session: number) {
    const heard = this.#heard.get(session);
    if (!heard) return;
    this.#heard.delete(session);
    const now = Date.now();
    this.set(
      session,
      heard.reduce((state, event) => follow(state, event, now), this.get(session)),
    );
  }

  /**
   * What was live is stored now and read again; it stays until the stored messages are there. A
   * reply that failed says itself why.
   */
  end(session: number, turn: number, fault: Fault | null) {
    if (!this.#isLatest(session, turn)) return;
    this.#takeIn(session);
    const { live, note } = this.get(session);
    const said = live.at(-1)?.state.type === 'failed';
    this.set(session, { ...idle, live, note, fault: said ? null : fault });
  }

  /**
   * Takes back the beginning of a turn that could not begin, because another runs or none does: what
   * was known before holds again, with what was heard since.
   */
  withdraw(session: number, turn: number, before: TurnState) {
    if (!this.#isLatest(session, turn)) return;
    this.#takeIn(session);
    this.#begun.set(session, turn - 1);
    const { live, questions } = this.get(session);
    this.set(session, { ...before, live, questions: [...before.questions, ...questions] });
  }

  settle(session: number) {
    const state = this.get(session);
    if (!state.running && state.live.length > 0) this.set(session, { ...state, live: [] });
  }

  watch(session: number, watcher: () => void): () => void {
    const watchers = this.#watchers.get(session) ?? new Set();
    watchers.add(watcher);
    this.#watchers.set(session, watchers);
    return () => {
      watchers.delete(watcher);
    };
  }
}

export const turns = new Turns();

/** A part of a session's turn; re-renders when that part changes. */
export function useTurn<Part>(session: number, select: (state: TurnState) => Part): Part {
  return useSyncExternalStore(
    useCallback((watcher) => turns.watch(session, watcher), [session]),
    () => select(turns.get(session)),
  );
}

/** Whether a turn runs, as far as this window has heard of it or Rust has last said. */
export function useReplying({ session: { id }, activity }: SessionView): boolean {
  const running = useTurn(id, (turn) => turn.running);
  return running || isReplying(activity);
}

export const isReplying = (activity: Activity) => activity === 'replying' || activity === 'asking';
