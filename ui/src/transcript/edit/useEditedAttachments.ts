/**
 * The attachments of a message that is being edited: the stored ones without the removed and with the added
 * ones. They stay until the edit is sent or discarded (editDrafts.ts).
 */
import { useRef, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Attachment } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { attachmentsFromParts } from '../../state/app/draftAttachments';
import { useReportError } from '../../state/text/useReportError';
import { updateEdit as note, editChanges, type EditTarget } from './editDrafts';

type EditedAttachments = readonly Attachment[];

export function useEditedAttachments(edited: EditTarget) {
  const { message } = edited;
  const text = useText();
  const { commands, desktop } = useBackend();
  const reportError = useReportError(useToast());
  const [attachments, setAttachments] = useState<EditedAttachments>(
    () => editChanges(message.id).files ?? attachmentsFromParts(message.parts),
  );
  /** The names of files that are being read. */
  const [reading, setReading] = useState<readonly string[]>([]);
  const latest = useRef(attachments);
  const closed = useRef(false);

  const change = (next: (now: EditedAttachments) => EditedAttachments) => {
    latest.current = next(latest.current);
    note(edited, { files: latest.current });
    setAttachments(latest.current);
  };
  /** One after the other: the attachments keep the order of the files. */
  const add = async (paths: readonly string[]) => {
    setReading((now) => [...now, ...paths.map(fileNameOf)]);
    for (const path of paths) {
      const work = commands.attachFile(path).then((read) => {
        if (!closed.current) change((now) => [...now, read]);
      });
      reportError(work);
      // A file that fails does not stop the others.
      await work.catch(() => undefined);
      setReading((now) => now.toSpliced(now.indexOf(fileNameOf(path)), 1));
    }
  };
  return {
    attachments,
    reading,
    isChanged: editChanges(message.id).files !== null,
    add: (paths: readonly string[]) => {
      reportError(add(paths));
    },
    choose: () => {
      reportError(desktop.pickFiles(text('composer.attach'), []).then(add));
    },
    remove: (at: number) => {
      change((now) => now.filter((_, other) => other !== at));
    },
    /** Called when the edit was sent or discarded. */
    close: () => {
      closed.current = true;
    },
  };
}

const fileNameOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;
