/**
 * What goes along with a message while it is edited: its attachments, less those that were taken out and
 * with those that were added. Like its words it stays until it is sent or put away (editDrafts.ts).
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
  const attempt = useReportError(useToast());
  const [attachments, setAttachments] = useState<EditedAttachments>(
    () => editChanges(message.id).files ?? attachmentsFromParts(message.parts),
  );
  /** Names of what is being read. */
  const [reading, setReading] = useState<readonly string[]>([]);
  const latest = useRef(attachments);
  const closed = useRef(false);

  const change = (next: (now: EditedAttachments) => EditedAttachments) => {
    latest.current = next(latest.current);
    note(edited, { files: latest.current });
    setAttachments(latest.current);
  };
  /** One after the other, so that they stand in the order they were chosen in. */
  const add = async (paths: readonly string[]) => {
    setReading((now) => [...now, ...paths.map(fileNameOf)]);
    for (const path of paths) {
      const work = commands.attachFile(path).then((read) => {
        if (!closed.current) change((now) => [...now, read]);
      });
      attempt(work);
      // Where one cannot be read, the others are taken in all the same.
      await work.catch(() => undefined);
      setReading((now) => now.toSpliced(now.indexOf(fileNameOf(path)), 1));
    }
  };
  return {
    attachments,
    reading,
    isChanged: editChanges(message.id).files !== null,
    add: (paths: readonly string[]) => {
      attempt(add(paths));
    },
    choose: () => {
      attempt(desktop.pickFiles(text('composer.attach'), []).then(add));
    },
    remove: (at: number) => {
      change((now) => now.filter((_, other) => other !== at));
    },
    /** It is sent, or put away. */
    close: () => {
      closed.current = true;
    },
  };
}

const fileNameOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;
