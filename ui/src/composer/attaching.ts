/**
 * The ways into the box for files, pictures and long texts: chosen, dropped, pasted. What cannot be
 * taken in is said with its name, and the rest is taken in all the same.
 */
import { useEffect, useEffectEvent, useState, type ClipboardEvent } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ContentPart } from '../ipc/bindings';
import { useToast } from '../kit/Toast';

/** So many characters are rather a file than something to be read in the box. */
const long = 8_000;

type Attaching = {
  onAttached: (parts: readonly ContentPart[]) => void;
  onFailed: (thrown: unknown) => void;
  /** The words of an attachment go back into the box. */
  onPutBack: (part: ContentPart) => void;
};

export function useAttaching({ onAttached, onFailed, onPutBack }: Attaching) {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  const [isOver, setOver] = useState(false);

  const take = (work: Promise<ContentPart | null>) =>
    work.then((part) => {
      if (part) onAttached([part]);
      return part;
    }, onFailed);
  const files = async (paths: readonly string[]) => {
    for (const path of paths) await take(commands.attachFile(path));
  };

  const drop = useEffectEvent((paths: readonly string[]) => void files(paths));
  useEffect(() => {
    const listening = desktop.onDrop(drop, setOver);
    return () => {
      void listening.then((stop) => {
        stop();
      });
    };
  }, [desktop]);

  return {
    isOver,
    choose: () => {
      desktop.pickFiles(text('composer.attach'), []).then(files, onFailed);
    },
    onPaste: (event: ClipboardEvent) => {
      const words = event.clipboardData.getData('text/plain');
      if (words === '') {
        // A copied picture: only Rust can see it (webview.md, traps).
        void take(commands.attachCopiedPicture(`${text('attach.picture')}.png`));
      } else if (words.length > long) {
        event.preventDefault();
        void take(commands.attachText(`${text('attach.pasted')}.txt`, words)).then((part) => {
          if (!part) return;
          toast({
            words: text('attach.long'),
            undo: () => {
              onPutBack(part);
            },
          });
        });
      }
    },
  };
}
