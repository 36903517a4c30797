/**
 * Which questions of tools are in view, and the way to one that is not: its row may be far away, and
 * then it is not in the page at all until it is gone to.
 */
import { useEffect, useSyncExternalStore, type RefObject } from 'react';

/** Calls whose question is in view, each by its `toolCallKey`. */
const visibleApprovals = new Set<string>();
/** The call whose question was asked for, until it is there. */
let requestedApproval: string | null = null;
const approvalElements = new Map<string, HTMLElement>();
const listeners = new Set<() => void>();

function setVisible(call: string, isSeen: boolean) {
  if (isSeen) visibleApprovals.add(call);
  else visibleApprovals.delete(call);
  for (const listener of listeners) listener();
}

function revealApproval(call: string, element: HTMLElement) {
  if (requestedApproval !== call) return;
  requestedApproval = null;
  element.scrollIntoView({ block: 'nearest' });
  element.focus({ preventScroll: true });
}

/** Makes known where a question stands, for as long as it is in the page. */
export function useTrackApproval(call: string, place: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === 'undefined') return;
    approvalElements.set(call, element);
    const watch = new IntersectionObserver((entries) => {
      setVisible(call, entries.at(-1)?.isIntersecting === true);
      // Its row has been scrolled to by now; of a long one that is not yet where the question is.
      revealApproval(call, element);
    });
    watch.observe(element);
    return () => {
      watch.disconnect();
      approvalElements.delete(call);
      setVisible(call, false);
    };
  }, [call, place]);
}

const watch = (listener: () => void) => {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
};

export const useIsApprovalVisible = (call: string) =>
  useSyncExternalStore(watch, () => visibleApprovals.has(call));

/** Leads to a question; `toRow` goes to its message where it is not in the page. */
export function scrollToApproval(call: string, toRow: () => void) {
  requestedApproval = call;
  const element = approvalElements.get(call);
  if (element) revealApproval(call, element);
  else toRow();
}
