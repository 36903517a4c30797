/**
 * Which dialog lies on top. What floats (menus, tooltips, toasts) and what is only heard must stand
 * inside of the topmost modal dialog: everything outside of it is inert.
 */
import { createContext, use, useLayoutEffect, useState, useSyncExternalStore } from 'react';

/** The dialog around a component, or null in the window itself. */
export const LayerContext = createContext<HTMLElement | null>(null);
export const useLayer = () => use(LayerContext) ?? undefined;

/** The page itself carries `data-below` while something lies over it. */
let open: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function change(next: readonly HTMLDialogElement[]) {
  open = next;
  document.documentElement.toggleAttribute('data-below', next.length > 0);
  for (const listener of listeners) listener();
}

/** Puts a dialog on top; the function it returns takes it away again. */
export function raise(dialog: HTMLDialogElement) {
  change([...open, dialog]);
  return () => {
    change(open.filter((other) => other !== dialog));
  };
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export const topLayer = () => open.at(-1) ?? null;

export const isOpen = (dialog: HTMLDialogElement) => open.includes(dialog);

/** The topmost dialog, or null while none is open. */
export const useTopLayer = () => useSyncExternalStore(subscribe, topLayer);

/**
 * An element that is moved to where it can be seen, heard and reached: into the topmost dialog, else into
 * its place in the window.
 */
export function useTopHost(className: string, place: HTMLElement | null = null) {
  const layer = useTopLayer();
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
