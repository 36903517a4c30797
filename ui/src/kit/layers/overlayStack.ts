/**
 * The stack of open modal dialogs. Popups (menus, tooltips, toasts) and live regions must be inside the
 * topmost dialog: everything outside of it is inert.
 */
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** The dialog around a component; null: the app window itself. */
export const OverlayContext = createContext<HTMLElement | null>(null);
export const useOverlay = () => use(OverlayContext) ?? undefined;

/** The page has the attribute `data-below` while a dialog is open. */
let overlays: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function setOverlays(next: readonly HTMLDialogElement[]) {
  overlays = next;
  document.documentElement.toggleAttribute('data-below', next.length > 0);
  for (const listener of listeners) listener();
}

/** Puts a dialog on top. The returned function removes it. */
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

/** The topmost dialog; null: none is open. */
export const useTopOverlay = () => useSyncExternalStore(subscribe, topOverlay);

/** An element that is moved into the topmost dialog, or without one to its place in the app window. */
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
