/**
 * The ways into the box for files, pictures and long texts: chosen, dropped, pasted. What cannot be
 * taken in is said with its name, and the rest is taken in all the same.
 */
import { useEffect, useEffectEvent, useState, type ClipboardEvent } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Attachment, SessionId } from '../ipc/bindings';
import { useToast } from '../kit/Toast';
import type { Write } from './draft';
import { bring } from './incoming';

/** So many characters are rather a file than something to be read in the box. */
const long = 8_000;

type Attaching = {
  session: SessionId;
  write: Write;
  onFailed: (thrown: unknown) => void;
};

export function useAttaching({ session, write, onFailed }: Attaching) {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  const [isOver, setOver] = useState(false);

  const attach = (read: readonly Attachment[], goesAlong: boolean) => {
    write((now) => ({ ...now, attachments: [...now.attachments, ...read] }), goesAlong);
  };
  const take = (name: string, work: Promise<Attachment | null>) =>
    bring(session, name, work, (read, goesAlong) => {
      if (read) attach([read], goesAlong);
    }).catch((thrown: unknown) => {
      onFailed(thrown);
      return null;
    });
  /** One after the other, and all of them awaited from the beginning. */
  const files = (paths: readonly string[]) => {
    let before: Promise<unknown> = Promise.resolve();
    for (const path of paths) {
      const name = path.split(/[/\\]/).at(-1) ?? path;
      before = take(
        name,
        before.then(() => commands.attachFile(path)),
      );
    }
  };
  /** The words of an attachment go back into the box; the same file may be there a second time. */
  const putBack = ({ blob, name }: Attachment) => {
    bring(session, name, commands.attachedText(blob, name), (words, goesAlong) => {
      write((now) => {
        const place = now.attachments.findIndex((one) => one.blob === blob);
        return {
          text: [now.text, words].filter(Boolean).join('\n'),
          attachments: now.attachments.filter((_, at) => at !== place),
        };
      }, goesAlong);
    }).catch(onFailed);
  };

  const drop = useEffectEvent(files);
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
    putBack,
    fromServer: (server: string, uri: string) => {
      const work = commands.attachResource(server, uri);
      bring(session, uri, work, attach).catch(onFailed);
    },
    choose: () => {
      desktop.pickFiles(text('composer.attach'), []).then(files, onFailed);
    },
    onPaste: (event: ClipboardEvent) => {
      const words = event.clipboardData.getData('text/plain');
      if (words === '') {
        // A copied picture: only Rust can see it (webview.md, traps).
        const name = `${text('attach.picture')}.png`;
        void take(name, commands.attachCopiedPicture(name));
      } else if (words.length > long) {
        event.preventDefault();
        const name = `${text('attach.pasted')}.txt`;
        void take(name, commands.attachText(name, words)).then((read) => {
          if (!read) return;
          toast({
            words: text('attach.long'),
            undo: () => {
              putBack(read);
            },
          });
        });
      }
    },
  };
}
