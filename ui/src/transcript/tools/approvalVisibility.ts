/**
 * The approval requests that are in view, and the navigation to one that is not: its row may not be
 * mounted.
 */
import { useEffect, type RefObject } from 'react';
import { createStore, useStore } from '../../kit/hooks/createStore';

/** The calls whose request is in view, by `toolCallKey`. */
const visibleApprovals = createStore<ReadonlySet<string>>(new Set());
/** The call to which the user navigates, until its request mounts. */
let requestedApproval: string | null = null;
const approvalElements = new Map<string, HTMLElement>();

function setVisible(call: string, isVisible: boolean) {
  const others = [...visibleApprovals.get()].filter((other) => other !== call);
  visibleApprovals.set(new Set(isVisible ? [...others, call] : others));
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

export const useIsApprovalVisible = (call: string) =>
  useStore(visibleApprovals, (calls) => calls.has(call));

/** Scrolls to a request. `toRow` scrolls to its message if the request is not mounted. */
export function scrollToApproval(call: string, toRow: () => void) {
  requestedApproval = call;
  const element = approvalElements.get(call);
  if (element) revealApproval(call, element);
  else toRow();
}
