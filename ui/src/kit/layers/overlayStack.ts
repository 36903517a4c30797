/**
 * The stack of open modal dialogs. Popups (menus, tooltips, toasts) and live regions must be inside the
 * topmost dialog: everything outside of it is inert.
 */
import { createContext, use, useLayoutEffect, useState } from 'react';
import { createStore, useStore } from '../hooks/createStore';

/** The dialog around a component; null: the app window itself. */
export const OverlayContext = createContext<HTMLElement | null>(null);
export const useOverlay = () => use(OverlayContext) ?? undefined;

const overlays = createStore<readonly HTMLDialogElement[]>([]);

/** The page has the attribute `data-below` while a dialog is open. */
function setOverlays(next: readonly HTMLDialogElement[]) {
  document.documentElement.toggleAttribute('data-below', next.length > 0);
  overlays.set(next);
}

/** Puts a dialog on top. The returned function removes it. */
export function pushOverlay(dialog: HTMLDialogElement) {
  setOverlays([...overlays.get(), dialog]);
  return () => {
    setOverlays(overlays.get().filter((other) => other !== dialog));
  };
}

export const topOverlay = () => overlays.get().at(-1) ?? null;

export const isOverlayOpen = (dialog: HTMLDialogElement) => overlays.get().includes(dialog);

/** The topmost dialog; null: none is open. */
export const useTopOverlay = () => useStore(overlays, topOverlay);

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
