/**
 * Saves input soon after the user stops typing, and at the latest a second after a change: a fast typist
 * never stops.
 */
import { useEffect, useEffectEvent, useRef } from 'react';

/** The save waits this long after the last change, in ms. */
const saveDelayMs = 250;

/** The longest time that a change stays unsaved, in ms. */
const maxUnsavedMs = 1_000;

/** Calls `save` soon after one of the two values has changed. */
export function useAutosave(save: () => void, value: unknown, other: unknown) {
  const saveNow = useEffectEvent(save);
  const changedAt = useRef<number | null>(null);
  useEffect(() => {
    changedAt.current ??= Date.now();
    const left = changedAt.current + maxUnsavedMs - Date.now();
    const timer = setTimeout(
      () => {
        changedAt.current = null;
        saveNow();
      },
      Math.max(0, Math.min(saveDelayMs, left)),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [value, other]);
}
