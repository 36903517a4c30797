/**
 * The keyboard shortcuts of the app window. A mounted component registers its shortcuts; the newest
 * registration of a shortcut wins; the list of all is shown in the settings and the palette. Not here: keys
 * inside a control (arrows, Enter, Escape), which the control handles.
 */
import { useEffect, useEffectEvent } from 'react';
import { createStore, useStore } from '../hooks/createStore';
import { topOverlay } from '../layers/overlayStack';

export type ShortcutEntry = {
  /** `Mod` is Cmd on macOS and Ctrl elsewhere: `Mod+K`, `Mod+Shift+C`, `Mod+,`. */
  keys: string;
  /** The action, in the language of the interface. */
  label: string;
  run: (event?: KeyboardEvent) => void;
  where: ShortcutScope;
};

/**
 * `window`: not while a dialog is open. `everywhere`: also in a dialog. `outsideText`: also in a dialog,
 * but not in a field that has text or was typed into since the registration: there the key is the field's.
 */
type ShortcutScope = 'window' | 'everywhere' | 'outsideText';

export const isMac = /mac/i.test(navigator.platform);
/** The webview is WebKitGTK. */
export const isWebKitGtk = /linux/i.test(navigator.platform);

/** The name of the key that `Mod` means. */
export const modifierName = isMac ? '⌘' : 'Ctrl';

/** `since`: the count of input events at the registration. */
type RegisteredShortcut = ShortcutEntry & { since: number };

const entries = createStore<readonly RegisteredShortcut[]>([]);

/** The single keys of `Mod+Shift+C`, and of `Mod++`. */
export const splitKeys = (keys: string): readonly string[] => keys.match(/[^+]+|\+$/g) ?? [];

/**
 * True if a key event matches a shortcut. A letter also matches by its position on another
 * keyboard layout.
 */
export function matchesKeys(keys: string, event: KeyboardEvent): boolean {
  const parts = splitKeys(keys);
  const key = parts.at(-1) ?? '';
  const modifiers = new Set(parts.slice(0, -1));
  const mod = isMac ? event.metaKey : event.ctrlKey;
  const other = isMac ? event.ctrlKey : event.metaKey;
  return (
    modifiers.has('Mod') === mod &&
    !other &&
    modifiers.has('Alt') === event.altKey &&
    (modifiers.has('Shift') === event.shiftKey || /^[^a-z]$/i.test(key)) &&
    (event.key.toLowerCase() === key.toLowerCase() ||
      // On layouts where + needs Shift, the plain key counts too.
      (key === '+' && event.key === '=') ||
      (/^[a-z]$/i.test(key) &&
        event.code === `Key${key.toUpperCase()}` &&
        !/^[a-z]$/i.test(event.key)))
  );
}

/**
 * True if a keydown belongs to an input method. WebKitGTK sends the key that commits a composition
 * with `isComposing` false; only the old key code tells.
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return event.isComposing || event.keyCode === 229;
}

/** Shortcuts of the Windows webview as a browser: they reload, print or search the page. */
function isBrowserShortcut({ key, altKey, ctrlKey }: KeyboardEvent): boolean {
  if (isMac) return false;
  if (/^F[357]$/.test(key) || (altKey && /^Arrow(Left|Right)$/.test(key))) return true;
  return ctrlKey && !altKey && /^[fgprsuj]$/i.test(key);
}

/** The count of input events in all fields, and for each field the count at its last one. */
let inputs = 0;
const lastInputs = new WeakMap<EventTarget, number>();

function countInput({ target }: Event) {
  inputs += 1;
  if (target !== null) lastInputs.set(target, inputs);
}

/** An empty field without input since the registration does not own the key. */
function belongsToField(target: EventTarget | null, since: number): boolean {
  if (!(target instanceof Element)) return false;
  if (!target.matches('input, textarea, [contenteditable]')) return false;
  const isEmpty =
    (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) &&
    target.value === '';
  return !isEmpty || (lastInputs.get(target) ?? 0) > since;
}

function isInScope({ where, since }: RegisteredShortcut, { target }: KeyboardEvent): boolean {
  switch (where) {
    case 'window':
      return topOverlay() === null;
    case 'everywhere':
      return true;
    case 'outsideText':
      return !belongsToField(target, since);
  }
}

function dispatchShortcut(event: KeyboardEvent) {
  if (event.defaultPrevented || isComposing(event)) return;
  const entry = entries
    .get()
    .findLast((one) => isInScope(one, event) && matchesKeys(one.keys, event));
  if (!entry) {
    if (isBrowserShortcut(event)) event.preventDefault();
    return;
  }
  event.preventDefault();
  entry.run(event);
}

/** Listens to keys while a shortcut is registered. The returned function removes the shortcut. */
function register(entry: RegisteredShortcut): () => void {
  if (entries.get().length === 0) {
    window.addEventListener('keydown', dispatchShortcut);
    window.addEventListener('input', countInput, true);
  }
  entries.set([...entries.get(), entry]);
  return () => {
    entries.set(entries.get().filter((other) => other !== entry));
    if (entries.get().length > 0) return;
    window.removeEventListener('keydown', dispatchShortcut);
    window.removeEventListener('input', countInput, true);
  };
}

/** Registers a shortcut while the component is mounted. */
export function useShortcut(
  keys: string,
  label: string,
  run: (event?: KeyboardEvent) => void,
  where: ShortcutScope = 'window',
) {
  const onPress = useEffectEvent(run);
  useEffect(() => {
    const run = (event?: KeyboardEvent) => {
      onPress(event);
    };
    return register({ keys, label, run, where, since: inputs });
  }, [keys, label, where]);
}

/** The registered shortcuts, in the order of registration. */
export const useShortcuts = (): readonly ShortcutEntry[] => useStore(entries, (all) => all);
