/**
 * The running turns of all sessions: what their streams report beside the stored data. A view re-renders
 * only for its own part: the streaming message by its id, the rest by a small state.
 */
import { useCallback, useSyncExternalStore } from 'react';
import type { Activity, Error as AppError, SessionView, TurnEvent } from '../../ipc/bindings';
import { framePacer } from './framePacer';
import { endTurn, reduceTurn, idleTurn, withoutQuestion, type TurnState } from './turnReducer';

type StateChange = (state: TurnState, now: number) => TurnState;

/** The turns of all sessions. Each session has its own subscribers. */
export class TurnStore {
  #states = new Map<number, TurnState>();
  #watchers = new Map<number, Set<() => void>>();
  /** Changes that are not applied yet. */
  #pending = new Map<number, StateChange[]>();
  /** The number of turns that a session has begun: the end of an earlier one is ignored. */
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

  /**
   * Begins a turn and returns its number. The live messages of the previous one stay until they are read
   * from the store. `again` starts the same turn once more; null: it is continued.
   */
  begin(session: number, again: TurnState['again'] = null): number {
    this.#applyPending(session);
    const { live } = this.get(session);
    this.set(session, { ...idleTurn, live, running: true, waiting: { type: 'model' }, again });
    const turn = (this.#begun.get(session) ?? 0) + 1;
    this.#begun.set(session, turn);
    return turn;
  }

  /** True if no other turn has begun since. */
  #isLatest(session: number, turn: number): boolean {
    return this.#begun.get(session) === turn;
  }

  receive(session: number, event: TurnEvent) {
    this.#changeSoon(session, (state, now) => reduceTurn(state, event, now));
  }

  /** Applies changes together before a frame: no delta renders alone. */
  #changeSoon(session: number, change: StateChange) {
    const pending = this.#pending.get(session);
    if (pending) {
      pending.push(change);
      return;
    }
    this.#pending.set(session, [change]);
    framePacer.schedule(() => {
      this.#applyPending(session);
    });
  }

  #applyPending(session: number) {
    const pending = this.#pending.get(session);
    if (!pending) return;
    this.#pending.delete(session);
    const now = Date.now();
    this.set(
      session,
      pending.reduce((state, change) => change(state, now), this.get(session)),
    );
  }

  /**
   * Ends a turn. Its live messages stay until the stored ones are there. A failed reply shows its error
   * itself.
   */
  end(session: number, turn: number, fault: AppError | null) {
    if (!this.#isLatest(session, turn)) return;
    if (framePacer.isTyping()) {
      this.#changeSoon(session, (state) => endTurn(state, fault));
      return;
    }
    this.#applyPending(session);
    this.set(session, endTurn(this.get(session), fault));
  }

  /**
   * Undoes `begin` for a turn that could not start, because another runs or none does. The previous state
   * holds again, with the events since.
   */
  rollBack(session: number, turn: number, before: TurnState) {
    if (!this.#isLatest(session, turn)) return;
    this.#applyPending(session);
    this.#begun.set(session, turn - 1);
    const { live, questions } = this.get(session);
    const earlier = questions.reduce(withoutQuestion, before.questions);
    this.set(session, { ...before, live, questions: [...earlier, ...questions] });
  }

  /** Dismisses a notice until the next turn. */
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

/** Selects a part of a session's turn; re-renders when that part changes. */
export function useTurn<Part>(session: number, select: (state: TurnState) => Part): Part {
  return useSyncExternalStore(
    useCallback((watcher) => turnStore.watch(session, watcher), [session]),
    () => select(turnStore.get(session)),
  );
}

/** True if a turn runs, as far as this webview or Rust knows. */
export function useIsReplying({ session: { id }, activity }: SessionView): boolean {
  const running = useTurn(id, (turn) => turn.running);
  return running || isReplying(activity);
}

export const isReplying = (activity: Activity) => activity === 'replying' || activity === 'asking';
