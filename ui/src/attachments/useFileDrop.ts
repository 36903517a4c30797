/**
 * What is dropped on the window is for the message that is being edited, where the focus is in that, and
 * else for the box of its conversation: the desktop does not say reliably where it fell. Where the box is
 * out of reach it is refused with a word: behind a dialog nobody would see it arrive.
 */
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { topOverlay, useTopOverlay } from '../kit/layers/overlayStack';
import { useToast } from '../kit/notifications/Toast';

/** Marks an element that is given what is dropped while the focus is in it. */
export const acceptsDrops = { 'data-takes-drops': true };

const focusedDropTarget = () => document.activeElement?.closest('[data-takes-drops]') ?? null;

/**
 * `take`: null where there is no box; `edited`: a marked element, of which it is. Says whether something is
 * held over it.
 */
export function useFileDrop(
  take: ((paths: readonly string[]) => void) | null,
  edited?: RefObject<HTMLElement | null>,
): boolean {
  const text = useText();
  const toast = useToast();
  const { desktop } = useBackend();
  const [isOver, setOver] = useState(false);
  const top = useTopOverlay();
  const isMeant = () => focusedDropTarget() === (edited?.current ?? null);
  const drop = useEffectEvent((paths: readonly string[]) => {
    if (paths.length === 0 || !isMeant()) return;
    if (take && topOverlay() === null) take(paths);
    else toast({ words: text('attach.readOnly'), failed: true });
  });
  const hold = useEffectEvent((held: boolean) => {
    setOver(held && isMeant());
  });
  useEffect(() => {
    const listening = desktop.onDrop(drop, hold);
    return () => {
      void listening.then((stop) => {
        stop();
      });
    };
  }, [desktop]);
  return isOver && top === null;
}
