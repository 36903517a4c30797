/**
 * The lifetime of a toast.
 */
import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  useSyncExternalStore,
  type FocusEvent,
  type KeyboardEvent,
} from 'react';
import type { ToastContent } from './toastContent';

/** The time to read a toast, and the time to use its buttons, in ms. */
const plainToastMs = 5_000;
const actionToastMs = 10_000;
const undoToastMs = 30_000;

/** The lifetime of a toast, in ms; null: until it is dismissed. */
function toastDurationMs({ way, undo, failed }: ToastContent): number | null {
  if (failed) return null;
  if (undo) return undoToastMs;
  return way ? actionToastMs : plainToastMs;
}

function watchFocus(watcher: () => void) {
  for (const event of ['focus', 'blur']) window.addEventListener(event, watcher);
  return () => {
    for (const event of ['focus', 'blur']) window.removeEventListener(event, watcher);
  };
}

/**
 * Calls `onLeave` after the lifetime. Hover, focus and a new text restart it; a toast with buttons waits
 * while the app window is in the background. The focus then goes back to where it came from.
 */
export function useToastTimer(toast: ToastContent, onLeave: () => void) {
  const { words, way, undo } = toast;
  const time = toastDurationMs(toast);
  const inFront = useSyncExternalStore(watchFocus, () => document.hasFocus());
  const [pointed, setPointed] = useState(false);
  const [focused, setFocused] = useState(false);
  const before = useRef<EventTarget | null>(null);
  const gone = useEffectEvent(onLeave);
  const held = pointed || focused || (!inFront && (way ?? undo) !== undefined);

  useEffect(() => {
    if (held || time === null) return;
    const timer = setTimeout(gone, time);
    return () => {
      clearTimeout(timer);
    };
  }, [held, time, words]);

  const leave = () => {
    if (focused && before.current instanceof HTMLElement) before.current.focus();
    onLeave();
  };
  return {
    leave,
    ties: {
      onPointerEnter: () => {
        setPointed(true);
      },
      onPointerLeave: () => {
        setPointed(false);
      },
      onFocus: ({ currentTarget, relatedTarget }: FocusEvent) => {
        if (!currentTarget.contains(relatedTarget)) before.current = relatedTarget;
        setFocused(true);
      },
      onBlur: () => {
        setFocused(false);
      },
      onKeyDown: (event: KeyboardEvent) => {
        if (event.key !== 'Escape') return;
        event.preventDefault();
        leave();
      },
    },
  };
}
