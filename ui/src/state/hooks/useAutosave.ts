/**
 * Keeping what is being written: soon after it rests, and at the latest a second after it was changed, for
 * whoever types fast never rests.
 */
import { useEffect, useEffectEvent, useRef } from 'react';

/** How long words rest before they are kept, in ms. */
const saveDelayMs = 250;

/** How long a change may be unkept, in ms. */
const maxUnsavedMs = 1_000;

/** Calls `keep` soon after what is written has changed, or what goes along with it. */
export function useAutosave(keep: () => void, written: unknown, along: unknown) {
  const keepNow = useEffectEvent(keep);
  const changedAt = useRef<number | null>(null);
  useEffect(() => {
    changedAt.current ??= Date.now();
    const left = changedAt.current + maxUnsavedMs - Date.now();
    const timer = setTimeout(
      () => {
        changedAt.current = null;
        keepNow();
      },
      Math.max(0, Math.min(saveDelayMs, left)),
    );
    return () => {
      clearTimeout(timer);
    };
  }, [written, along]);
}
