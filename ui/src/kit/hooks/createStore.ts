/**
 * A value outside of React: components that read it with `useStore` re-render when it is set. Not here: data
 * of the backend, which TanStack Query holds, and turns, of which each session has its own readers
 * (state/turn/turnStore.ts).
 */
import { useSyncExternalStore } from 'react';

export type Store<Value> = {
  get: () => Value;
  /** Tells every reader. `next` is a new object: readers compare by identity. */
  set: (next: Value) => void;
  /** Calls `listener` after each `set`. The returned function ends that. */
  subscribe: (listener: () => void) => () => void;
};

export function createStore<Value>(initial: Value): Store<Value> {
  let value = initial;
  const listeners = new Set<() => void>();
  return {
    get: () => value,
    set: (next) => {
      value = next;
      for (const listener of listeners) listener();
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
  };
}

/** A part of a store's value; re-renders when that part changes. */
export const useStore = <Value, Part>(store: Store<Value>, select: (value: Value) => Part): Part =>
  useSyncExternalStore(store.subscribe, () => select(store.get()));
