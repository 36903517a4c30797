/**
 * Attaches files, images and long texts to the draft: chosen, dropped or pasted. A file that fails is
 * reported by its name; the others are attached all the same.
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
  updateDraft: UpdateDraft;
  onFailed: (thrown: unknown) => void;
};

export function useAttachments({ session, updateDraft, onFailed }: AttachmentsOptions) {
  const text = useText();
  const announce = useAnnounce();
  const { commands, desktop } = useBackend();

  const addToDraft = (added: readonly Attachment[], inPending: boolean) => {
    updateDraft(
      (draft) => ({ ...draft, attachments: [...draft.attachments, ...added] }),
      inPending,
    );
  };
  const attach = (name: string, reading: Promise<Attachment | null>) =>
    readIntoDraft(session, name, reading, (read, inPending) => {
      if (!read) return;
      addToDraft([read], inPending);
      announce(text('attach.attached', { name: read.name }));
    }).catch((thrown: unknown) => {
      onFailed(thrown);
      return null;
    });
  /** Reads the files one after the other; all are listed as pending from the beginning. */
  const attachAll = (files: readonly { name: string; read: () => Promise<Attachment> }[]) => {
    let previous: Promise<unknown> = Promise.resolve();
    for (const { name, read } of files) previous = attach(name, previous.then(read));
  };
  const attachPaths = (paths: readonly string[]) => {
    attachAll(
      paths.map((path) => ({
        name: path.split(/[/\\]/).at(-1) ?? path,
        read: () => commands.attachFile(path),
      })),
    );
  };
  /**
   * Replaces a text attachment by its text: after `before` if the draft still begins with that, else at the
   * end. The same file may be attached twice: only the first is removed.
   */
  const insertText = ({ blob, name }: Attachment, before?: string) => {
    readTextIntoDraft(session, name, commands.attachedText(blob, name), (content) => {
      updateDraft((draft) => {
        const removed = draft.attachments.findIndex((one) => one.blob === blob);
        return {
          text:
            before !== undefined && draft.text.startsWith(before)
              ? before + content + draft.text.slice(before.length)
              : [draft.text, content].filter(Boolean).join('\n'),
          attachments: draft.attachments.filter((_, index) => index !== removed),
        };
      });
    }).catch(onFailed);
  };
  const isOver = useFileDrop(attachPaths);
  const onPaste = usePaste({ updateDraft, attach, attachAll, insertText });

  return {
    isOver,
    insertText: (attachment: Attachment) => {
      insertText(attachment);
    },
    fromServer: (server: string, uri: string) => {
      const reading = commands.attachResource(server, uri);
      readIntoDraft(session, uri, reading, addToDraft).catch(onFailed);
    },
    choose: () => {
      desktop.pickFiles(text('composer.attach'), []).then(attachPaths, onFailed);
    },
    onPaste,
  };
}
