/**
 * The keys of the whole window. A component that is on screen registers what it does; the newest
 * registration of the same keys wins; the list of them all can be shown.
 * Keys inside of a control (arrows, Enter, Esc) are not here: the control handles them itself.
 */
import { useEffect, useEffectEvent, useSyncExternalStore } from 'react';
import { topOverlay } from './overlayStack';

export type ShortcutEntry = {
  /** `Mod` is Cmd on a Mac and Ctrl elsewhere: `Mod+K`, `Mod+Shift+C`, `Mod+,`. */
  keys: string;
  /** What it does, in the language of the interface. */
  label: string;
  run: (event?: KeyboardEvent) => void;
  where: ShortcutScope;
};

/**
 * Behind a dialog it waits; in one it holds as well; in one as well, but not while words are being written,
 * where the key is the field's: it holds words, or was written in since the keys were registered.
 */
type ShortcutScope = 'window' | 'everywhere' | 'outsideText';

export const isMac = /mac/i.test(navigator.platform);

/** What stands on the key that `Mod` means here. */
export const modifierName = isMac ? '⌘' : 'Ctrl';

/** `since`: how often was written before it was registered. */
type RegisteredShortcut = ShortcutEntry & { since: number };

let entries: readonly RegisteredShortcut[] = [];
const listeners = new Set<() => void>();

function setEntries(next: readonly RegisteredShortcut[]) {
  entries = next;
  for (const listener of listeners) listener();
}

/** The single keys of `Mod+Shift+C`, and of `Mod++`. */
export const splitKeys = (keys: string): readonly string[] => keys.match(/[^+]+|\+$/g) ?? [];

/** Whether a key event is one of `keys`; a letter is also found by its place on another layout. */
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
      // Where + is typed with Shift, the key is meant without.
      (key === '+' && event.key === '=') ||
      (/^[a-z]$/i.test(key) &&
        event.code === `Key${key.toUpperCase()}` &&
        !/^[a-z]$/i.test(event.key)))
  );
}

/**
 * Whether a keydown belongs to an input method. WebKitGTK sends the key that commits a composition
 * with `isComposing` false and only this old number to tell.
 */
export function isComposing(event: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean {
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  return event.isComposing || event.keyCode === 229;
}

/** Keys by which the webview of Windows is a browser: they reload the page, print or search it. */
function isBrowserShortcut({ key, altKey, ctrlKey }: KeyboardEvent): boolean {
  if (isMac) return false;
  if (/^F[357]$/.test(key) || (altKey && /^Arrow(Left|Right)$/.test(key))) return true;
  return ctrlKey && !altKey && /^[fgprsuj]$/i.test(key);
}

/** How often was written in whatever field, and how often that was when each was written in last. */
let inputs = 0;
const lastInputs = new WeakMap<EventTarget, number>();

function countInput({ target }: Event) {
  inputs += 1;
  if (target !== null) lastInputs.set(target, inputs);
}

/** An empty field that was not written in since has nothing to do with the key. */
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
  const entry = entries.findLast((one) => isInScope(one, event) && matchesKeys(one.keys, event));
  if (!entry) {
    if (isBrowserShortcut(event)) event.preventDefault();
    return;
  }
  event.preventDefault();
  entry.run(event);
}

function subscribe(listener: () => void) {
  if (listeners.size === 0) {
    window.addEventListener('keydown', dispatchShortcut);
    window.addEventListener('input', countInput, true);
  }
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    window.removeEventListener('keydown', dispatchShortcut);
    window.removeEventListener('input', countInput, true);
  };
}

/** Registers `run` under `keys` for as long as the component is on screen. */
export function useShortcut(
  keys: string,
  label: string,
  run: (event?: KeyboardEvent) => void,
  where: ShortcutScope = 'window',
) {
  const onPress = useEffectEvent(run);
  useEffect(() => {
    const entry = {
      keys,
      label,
      run: (event?: KeyboardEvent) => {
        onPress(event);
      },
      where,
      since: inputs,
    };
    const unsubscribe = subscribe(() => undefined);
    setEntries([...entries, entry]);
    return () => {
      setEntries(entries.filter((other) => other !== entry));
      unsubscribe();
    };
  }, [keys, label, where]);
}

/** What can be pressed now, in the order it was registered. */
export const useShortcuts = (): readonly ShortcutEntry[] =>
  useSyncExternalStore(subscribe, () => entries);
