/**
 * Which questions of tools are in view, and the way to one that is not: its row may be far away, and
 * then it is not in the page at all until it is gone to.
 */
import { useEffect, useSyncExternalStore, type RefObject } from 'react';

/** Calls whose question is in view, each by its `callKey`. */
const seen = new Set<string>();
/** The call whose question was asked for, until it is there. */
let sought: string | null = null;
const placed = new Map<string, HTMLElement>();
const listeners = new Set<() => void>();

function look(call: string, isSeen: boolean) {
  if (isSeen) seen.add(call);
  else seen.delete(call);
  for (const listener of listeners) listener();
}

function show(call: string, element: HTMLElement) {
  if (sought !== call) return;
  sought = null;
  element.scrollIntoView({ block: 'nearest' });
  element.focus({ preventScroll: true });
}

/** Makes known where a question stands, for as long as it is in the page. */
export function usePlaced(call: string, place: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === 'undefined') return;
    placed.set(call, element);
    const watch = new IntersectionObserver((entries) => {
      look(call, entries.at(-1)?.isIntersecting === true);
      // Its row has been scrolled to by now; of a long one that is not yet where the question is.
      show(call, element);
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      placed.delete(call);
      look(call, false);
    };
  }, [call, place]);
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useInView = (call: string) => useSyncExternalStore(watch, () => seen.has(call));

/** Leads to a question; `toRow` goes to its message where it is not in the page. */
export function leadTo(call: string, toRow: () => void) {
  sought = call;
  const element = placed.get(call);
  if (element) show(call, element);
  else toRow();
}
