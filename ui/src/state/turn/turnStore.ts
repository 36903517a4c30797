/**
 * The turns that are running: what their streams say, beside what is stored. Only what one changes
 * re-renders: the growing message by its id, the rest by a small state.
 */
import { useCallback, useSyncExternalStore } from 'react';
import type { Activity, Error as AppError, SessionView, TurnEvent } from '../../ipc/bindings';
import { reduceTurn, idleTurn, withoutQuestion, type TurnState } from './turnReducer';

/** Where the window is not seen it has no frames: then a moment later. */
function beforeNextPaint(work: () => void) {
  const once = () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
    work();
  };
  const frame = requestAnimationFrame(once);
  const timer = setTimeout(once, 100);
}

/** The turns of all sessions, each watched on its own. */
export class TurnStore {
  #states = new Map<number, TurnState>();
  #watchers = new Map<number, Set<() => void>>();
  /** What was heard and is not taken in yet. */
  #heard = new Map<number, TurnEvent[]>();
  /** How many turns a session has begun: what an earlier one says of its end is not heard. */
  #begun = new Map<number, number>();

  get(session: number): TurnState {
    return this.#states.get(session) ?? idleTurn;
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
    this.set(session, { ...idleTurn, live, running: true, waiting: { type: 'model' } });
    const turn = (this.#begun.get(session) ?? 0) + 1;
    this.#begun.set(session, turn);
    return turn;
  }

  /** Whether no other turn has begun since. */
  #isLatest(session: number, turn: number): boolean {
    return this.#begun.get(session) === turn;
  }

  /** Takes in what happens once for every frame: where words come faster, none is shown alone. */
  receive(session: number, event: TurnEvent) {
    const heard = this.#heard.get(session);
    if (heard) {
      heard.push(event);
      return;
    }
    this.#heard.set(session, [event]);
    beforeNextPaint(() => {
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
      heard.reduce((state, event) => reduceTurn(state, event, now), this.get(session)),
    );
  }

  /**
   * What was live is stored now and read again; it stays until the stored messages are there. A
   * reply that failed says itself why.
   */
  end(session: number, turn: number, fault: AppError | null) {
    if (!this.#isLatest(session, turn)) return;
    this.#takeIn(session);
    const { live, refusedEffort: refused, dismissed: putAway } = this.get(session);
    const said = live.at(-1)?.state.type === 'failed';
    this.set(session, {
      ...idleTurn,
      live,
      refusedEffort: refused,
      dismissed: putAway,
      fault: said ? null : fault,
    });
  }

  /**
   * Takes back the beginning of a turn that could not begin, because another runs or none does: what
   * was known before holds again, with what was heard since.
   */
  rollBack(session: number, turn: number, before: TurnState) {
    if (!this.#isLatest(session, turn)) return;
    this.#takeIn(session);
    this.#begun.set(session, turn - 1);
    const { live, questions } = this.get(session);
    const earlier = questions.reduce(withoutQuestion, before.questions);
    this.set(session, { ...before, live, questions: [...earlier, ...questions] });
  }

  /** Puts away what stands in the way of the conversation, until the next turn begins. */
  dismiss(session: number, what: TurnState['dismissed'][number]) {
    const state = this.get(session);
    this.set(session, { ...state, dismissed: [...state.dismissed, what] });
  }

  clearLive(session: number) {
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

export const turnStore = new TurnStore();

/** A part of a session's turn; re-renders when that part changes. */
export function useTurn<Part>(session: number, select: (state: TurnState) => Part): Part {
  return useSyncExternalStore(
    useCallback((watcher) => turnStore.watch(session, watcher), [session]),
    () => select(turnStore.get(session)),
  );
}

/** Whether a turn runs, as far as this window has heard of it or Rust has last said. */
export function useIsReplying({ session: { id }, activity }: SessionView): boolean {
  const running = useTurn(id, (turn) => turn.running);
  return running || isReplying(activity);
}

export const isReplying = (activity: Activity) => activity === 'replying' || activity === 'asking';
