/**
 * Pastes that become attachments: files, an image, a long text. Other text is pasted as usual.
 */
import type { ClipboardEvent } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Attachment, Error as AppError, FileError } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import type { UpdateDraft } from '../draft/useDraft';

/** A pasted text longer than this becomes an attachment, in characters. */
const attachFromChars = 8_000;

type PasteOptions = {
  updateDraft: UpdateDraft;
  /** Resolves to null if nothing was attached; an error was reported. */
  attach: (name: string, reading: Promise<Attachment | null>) => Promise<Attachment | null>;
  attachAll: (files: readonly { name: string; read: () => Promise<Attachment> }[]) => void;
  /** Replaces the attachment by its text, after the text `before`. */
  insertText: (attachment: Attachment, before: string) => void;
};

export function usePaste({ updateDraft, attach, attachAll, insertText }: PasteOptions) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();

  const attachImage = async () => {
    const name = `${text('attach.picture')}.png`;
    // The webview does not pass on a copied image; Rust reads it from the clipboard.
    const reading = commands.attachCopiedPicture(name);
    await attach(name, reading);
    const image = await reading.catch(() => undefined);
    if (image === null) toast({ words: text('attach.clipboardEmpty'), failed: true });
  };
  const attachLongText = async (pasted: string, textarea: HTMLTextAreaElement) => {
    const { value, selectionStart: from, selectionEnd: to } = textarea;
    const before = value.slice(0, from);
    // A paste replaces the selection.
    textarea.setRangeText('', from, to, 'end');
    updateDraft((draft) =>
      draft.text === value ? { ...draft, text: before + value.slice(to) } : draft,
    );
    const name = `${text('attach.pasted')}.txt`;
    const attachment = await attach(name, commands.attachText(name, pasted));
    if (!attachment) return;
    toast({
      words: text('attach.longTextAttached'),
      undo: () => {
        insertText(attachment, before);
      },
    });
  };

  return (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { clipboardData: data, currentTarget: textarea } = event;
    const pasted = data.getData('text/plain');
    const files = Array.from(data.files);
    // A file manager adds the paths as text and as a URI list. Any other text is preferred to the files.
    if (files.length > 0 && (pasted === '' || data.types.includes('text/uri-list'))) {
      event.preventDefault();
      attachAll(
        files.map((file) => ({
          name: file.name,
          read: async () => commands.attachBytes(file.name, await readAsBase64(file)),
        })),
      );
    } else if (pasted === '') {
      void attachImage();
    } else if (pasted.length > attachFromChars) {
      event.preventDefault();
      void attachLongText(pasted, textarea);
    }
  };
}

/** The limit that Rust enforces: a larger file is not even read here. */
const maxFileBytes = 50 * 1_048_576;

function readAsBase64(file: File): Promise<string> {
  const { name, size } = file;
  const fileError = (fault: FileError) =>
    Object.assign(new Error(), { kind: 'badFile', name, fault } satisfies AppError);
  if (size > maxFileBytes)
    return Promise.reject(fileError({ type: 'tooLarge', limit: maxFileBytes }));
  return new Promise((resolve, reject) => {
    const rejectUnreadable = () => {
      reject(fileError({ type: 'unreadable' }));
    };
    const reader = new FileReader();
    reader.onload = () => {
      // The result is a `data:` URL; its content follows the comma.
      const base64 = typeof reader.result === 'string' ? reader.result.split(',', 2)[1] : undefined;
      if (base64 === undefined) rejectUnreadable();
      else resolve(base64);
    };
    reader.onerror = rejectUnreadable;
    reader.readAsDataURL(file);
  });
}
