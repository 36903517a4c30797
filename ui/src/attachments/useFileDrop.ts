/**
 * Files that are dropped on the app window. They go to the edited message if it has the focus, else to the
 * composer: the desktop does not report the position reliably. While a dialog covers the composer, they are
 * rejected with a message.
 */
import { useEffect, useEffectEvent, useState, type RefObject } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { topOverlay, useTopOverlay } from '../kit/layers/overlayStack';
import { useToast } from '../kit/notifications/Toast';

/** Marks an element that receives dropped files while it has the focus. */
export const acceptsDrops = { 'data-takes-drops': true };

const focusedDropTarget = () => document.activeElement?.closest('[data-takes-drops]') ?? null;

/**
 * `take`: null if there is no composer. `edited`: the marked element of an edit form. Returns whether a
 * file is dragged over the app window for this target.
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
