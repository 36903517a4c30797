/**
 * The approval requests that are in view, and the navigation to one that is not: its row may not be
 * mounted.
 */
import { useEffect, useSyncExternalStore, type RefObject } from 'react';

/** The calls whose request is in view, by `toolCallKey`. */
const visibleApprovals = new Set<string>();
/** The call to which the user navigates, until its request mounts. */
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

/** Reports whether a request is in view while it is mounted. */
export function useTrackApproval(call: string, place: RefObject<HTMLElement | null>) {
  useEffect(() => {
    const element = place.current;
    if (!element || typeof IntersectionObserver === 'undefined') return;
    approvalElements.set(call, element);
    const watch = new IntersectionObserver((entries) => {
      setVisible(call, entries.at(-1)?.isIntersecting === true);
      // The row was scrolled to already; in a long row the request may still be out of view.
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

/** Scrolls to a request. `toRow` scrolls to its message if the request is not mounted. */
export function scrollToApproval(call: string, toRow: () => void) {
  requestedApproval = call;
  const element = approvalElements.get(call);
  if (element) revealApproval(call, element);
  else toRow();
}
