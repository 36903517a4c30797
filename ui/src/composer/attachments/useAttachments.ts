/**
 * The ways into the box for files, pictures and long texts: chosen, dropped, pasted. What cannot be
 * taken in is said with its name, and the rest is taken in all the same.
 */
import { useFileDrop } from '../../attachments/useFileDrop';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Attachment, SessionId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import type { UpdateDraft } from '../draft/useDraft';
import { readIntoDraft, readTextIntoDraft } from './pendingAttachments';
import { usePaste } from './usePaste';

type AttachmentsOptions = {
  session: SessionId;
  write: UpdateDraft;
  onFailed: (thrown: unknown) => void;
};

export function useAttachments({ session, write, onFailed }: AttachmentsOptions) {
  const text = useText();
  const announce = useAnnounce();
  const { commands, desktop } = useBackend();

  const attach = (read: readonly Attachment[], goesAlong: boolean) => {
    write((now) => ({ ...now, attachments: [...now.attachments, ...read] }), goesAlong);
  };
  const take = (name: string, work: Promise<Attachment | null>) =>
    readIntoDraft(session, name, work, (read, goesAlong) => {
      if (!read) return;
      attach([read], goesAlong);
      announce(text('attach.taken', { name: read.name }));
    }).catch((thrown: unknown) => {
      onFailed(thrown);
      return null;
    });
  /** One after the other, and all of them awaited from the beginning. */
  const takeAll = (files: readonly { name: string; attach: () => Promise<Attachment> }[]) => {
    let before: Promise<unknown> = Promise.resolve();
    for (const { name, attach } of files) before = take(name, before.then(attach));
  };
  const files = (paths: readonly string[]) => {
    takeAll(
      paths.map((path) => ({
        name: path.split(/[/\\]/).at(-1) ?? path,
        attach: () => commands.attachFile(path),
      })),
    );
  };
  /**
   * The words of an attachment go back into the box, behind what stood before them where that is still
   * there; the same file may be there a second time.
   */
  const putBack = ({ blob, name }: Attachment, before?: string) => {
    readTextIntoDraft(session, name, commands.attachedText(blob, name), (words) => {
      write((now) => {
        const place = now.attachments.findIndex((one) => one.blob === blob);
        return {
          text:
            before !== undefined && now.text.startsWith(before)
              ? before + words + now.text.slice(before.length)
              : [now.text, words].filter(Boolean).join('\n'),
          attachments: now.attachments.filter((_, at) => at !== place),
        };
      });
    }).catch(onFailed);
  };
  const isOver = useFileDrop(files);
  const onPaste = usePaste({ write, take, takeAll, putBack });

  return {
    isOver,
    putBack: (attachment: Attachment) => {
      putBack(attachment);
    },
    fromServer: (server: string, uri: string) => {
      const work = commands.attachResource(server, uri);
      readIntoDraft(session, uri, work, attach).catch(onFailed);
    },
    choose: () => {
      desktop.pickFiles(text('composer.attach'), []).then(files, onFailed);
    },
    onPaste,
  };
}
