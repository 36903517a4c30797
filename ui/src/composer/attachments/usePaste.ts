/**
 * What a paste stands for where it is more than words to be read in the box: files, a picture, a text that
 * is rather a file.
 */
import type { ClipboardEvent } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Attachment, Error as AppError, FileError } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import type { UpdateDraft } from '../draft/useDraft';

/** So many characters are rather a file than something to be read in the box. */
const attachFromChars = 8_000;

type PasteOptions = {
  write: UpdateDraft;
  /** Takes something in under this name; null: it was not, which is said. */
  take: (name: string, work: Promise<Attachment | null>) => Promise<Attachment | null>;
  takeAll: (files: readonly { name: string; attach: () => Promise<Attachment> }[]) => void;
  /** The words of an attachment stand in the box again, behind what stood before them. */
  putBack: (attachment: Attachment, before: string) => void;
};

export function usePaste({ write, take, takeAll, putBack }: PasteOptions) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();

  const takePicture = async () => {
    const name = `${text('attach.picture')}.png`;
    // A copied picture: only Rust can see it.
    const picture = commands.attachCopiedPicture(name);
    await take(name, picture);
    const found = await picture.catch(() => undefined);
    if (found === null) toast({ words: text('attach.nothing'), failed: true });
  };
  const takeWords = async (words: string, box: HTMLTextAreaElement) => {
    const { value, selectionStart: from, selectionEnd: to } = box;
    const before = value.slice(0, from);
    // In the place of what was selected, as every paste.
    box.setRangeText('', from, to, 'end');
    write((now) => (now.text === value ? { ...now, text: before + value.slice(to) } : now));
    const name = `${text('attach.pasted')}.txt`;
    const read = await take(name, commands.attachText(name, words));
    if (!read) return;
    toast({
      words: text('attach.long'),
      undo: () => {
        putBack(read, before);
      },
    });
  };

  return (event: ClipboardEvent<HTMLTextAreaElement>) => {
    const { clipboardData: data, currentTarget: box } = event;
    const words = data.getData('text/plain');
    const files = Array.from(data.files);
    // A file manager says beside its files where they are; whoever copied other words meant those.
    if (files.length > 0 && (words === '' || data.types.includes('text/uri-list'))) {
      event.preventDefault();
      takeAll(
        files.map((file) => ({
          name: file.name,
          attach: async () => commands.attachBytes(file.name, await readAsBase64(file)),
        })),
      );
    } else if (words === '') {
      void takePicture();
    } else if (words.length > attachFromChars) {
      event.preventDefault();
      void takeWords(words, box);
    }
  };
}

/** As many bytes as Rust takes: what is larger is not even read here. */
const maxFileBytes = 50 * 1_048_576;

function readAsBase64(file: File): Promise<string> {
  const { name, size } = file;
  const refusal = (fault: FileError) =>
    Object.assign(new Error(), { kind: 'badFile', name, fault } satisfies AppError);
  if (size > maxFileBytes)
    return Promise.reject(refusal({ type: 'tooLarge', limit: maxFileBytes }));
  return new Promise((resolve, reject) => {
    const unreadable = () => {
      reject(refusal({ type: 'unreadable' }));
    };
    const reader = new FileReader();
    reader.onload = () => {
      // Behind the comma of a `data:` address.
      const words = typeof reader.result === 'string' ? reader.result.split(',', 2)[1] : undefined;
      if (words === undefined) unreadable();
      else resolve(words);
    };
    reader.onerror = unreadable;
    reader.readAsDataURL(file);
  });
}
