/**
 * Which dialog lies on top. What floats (menus, tooltips, toasts) and what is only heard must stand
 * inside of the topmost modal dialog: everything outside of it is inert.
 */
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** The dialog around a component, or null in the window itself. */
export const OverlayContext = createContext<HTMLElement | null>(null);
export const useOverlay = () => use(OverlayContext) ?? undefined;

/** The page itself carries `data-below` while something lies over it. */
let overlays: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function setOverlays(next: readonly HTMLDialogElement[]) {
  overlays = next;
  document.documentElement.toggleAttribute('data-below', next.length > 0);
  for (const listener of listeners) listener();
}

/** Puts a dialog on top; the function it returns takes it away again. */
export function pushOverlay(dialog: HTMLDialogElement) {
  setOverlays([...overlays, dialog]);
  return () => {
    setOverlays(overlays.filter((other) => other !== dialog));
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const topOverlay = () => overlays.at(-1) ?? null;

export const isOverlayOpen = (dialog: HTMLDialogElement) => overlays.includes(dialog);

/** The topmost dialog, or null while none is open. */
export const useTopOverlay = () => useSyncExternalStore(subscribe, topOverlay);

/**
 * An element that is moved to where it can be seen, heard and reached: into the topmost dialog, else into
 * its place in the window.
 */
export function useTopOverlayHost(className: string, place: HTMLElement | null = null) {
  const layer = useTopOverlay();
  const [host] = useState(() => {
    const element = document.createElement('div');
    element.className = className;
    return element;
  });
  const here = layer ?? place ?? document.body;
  useLayoutEffect(() => {
    here.append(host);
  }, [here, host]);
  useLayoutEffect(
    () => () => {
      host.remove();
    },
    [host],
  );
  return host;
}
