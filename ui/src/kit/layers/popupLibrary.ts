/**
 * Loads the popups of the kit on demand: the first frame needs their buttons only. A button that is pressed
 * before opens its popup as soon as it is loaded.
 */
import { useState } from 'react';
import type { popups } from '../popups';
import { createStore, useStore } from '../hooks/createStore';

type Popups = typeof popups;

/** Properties of a popup with its button. */
export type PopupProps<Props> = Props & {
  /** Opens without a press, because the press came before the popup was loaded. */
  defaultOpen: boolean;
};

const library = createStore<Popups | null>(null);

const loadedPopups = (loaded: Popups | null) => loaded;

/** Throws what the import throws. */
export async function loadPopups() {
  if (library.get() === null) library.set((await import('../popups')).popups);
}

/** `popups` is null until they are loaded; `pressed` tells that `press` was called before. */
export function usePopups() {
  const [pressed, setPressed] = useState(false);
  return {
    popups: useStore(library, loadedPopups),
    pressed,
    press: () => {
      setPressed(true);
    },
  };
}

/** For content of a popup, which is rendered after the popups are loaded. */
export function useLoadedPopups(): Popups {
  const loaded = useStore(library, loadedPopups);
  if (loaded === null) throw new Error('a popup is rendered before the popups are loaded');
  return loaded;
}
