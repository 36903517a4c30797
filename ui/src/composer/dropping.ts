/**
 * What is dropped on the window is for the box of its conversation. Where that is out of reach it is
 * refused with a word: behind a dialog nobody would see it arrive.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import { topLayer, useTopLayer } from '../kit/layers';
import { useToast } from '../kit/Toast';

/** `take`: null where there is no box. Says whether something is held over it. */
export function useDrops(take: ((paths: readonly string[]) => void) | null): boolean {
  const text = useText();
  const toast = useToast();
  const { desktop } = useBackend();
  const [isOver, setOver] = useState(false);
  const top = useTopLayer();
  const drop = useEffectEvent((paths: readonly string[]) => {
    if (paths.length === 0) return;
    if (take && topLayer() === null) take(paths);
    else toast({ words: text('attach.notHere'), failed: true });
  });
  useEffect(() => {
    const listening = desktop.onDrop(drop, setOver);
    return () => {
      void listening.then((stop) => {
        stop();
      });
    };
  }, [desktop]);
  return isOver && top === null;
}
