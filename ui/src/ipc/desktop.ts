/**
 * The desktop through Tauri's plugins.
 */
import { invoke } from '@tauri-apps/api/core';
import { getCurrentWebview } from '@tauri-apps/api/webview';
import { writeHtml, writeText } from '@tauri-apps/plugin-clipboard-manager';
import { open, save } from '@tauri-apps/plugin-dialog';
import { openUrl, revealItemInDir } from '@tauri-apps/plugin-opener';

/** Files a dialog offers: a name in the language of the interface, endings without their dot. */
export type FileFilter = { name: string; endings: readonly string[] };

const toDialogFilters = (kinds: readonly FileFilter[]) =>
  kinds.map(({ name, endings }) => ({ name, extensions: [...endings] }));

/** Signs that no system takes in a name, or that are not seen in one. */
const forbiddenInFileNames = /[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}<>:"|?*]/gu;

/**
 * The name of a file as it is proposed for one, whatever somebody else called it: never a path, nor a file
 * that is hidden.
 */
function safeFileName(name: string): string {
  const last = name.split(/[/\\]/u).at(-1) ?? '';
  const plain = last.replace(forbiddenInFileNames, '').replace(/^[. ]+|[. ]+$/gu, '');
  return plain === '' ? 'file' : plain;
}

/** A clipboard takes pictures of one kind only. */
async function toPng(address: string): Promise<Blob> {
  const picture = new Image();
  picture.src = address;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  return new Promise((done, fail) => {
    canvas.toBlob((png) => {
      if (png) done(png);
      else fail(new Error('the picture could not be drawn'));
    }, 'image/png');
  });
}

export const desktop = {
  /** Opens an http(s) or mailto address in the program the person uses for it. */
  openLink: (address: string) => openUrl(address),

  /** Puts text on the clipboard. */
  copyText: (text: string) => writeText(text),

  /** Puts text on the clipboard, and beside it the same as HTML for programs that take that. */
  copyFormatted: (text: string, html: string) => writeHtml(html, text),

  /** Puts a picture on the clipboard, from an address the window may show. */
  copyPicture: (address: string) =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(address) })]),

  /** Asks for files to read; empty where the person cancels. `kinds` empty: any file. */
  pickFiles: async (title: string, kinds: readonly FileFilter[]): Promise<readonly string[]> =>
    (await open({ title, multiple: true, filters: toDialogFilters(kinds) })) ?? [],

  /** Asks for one file to read; null where the person cancels. */
  pickFile: (title: string, kinds: readonly FileFilter[]): Promise<string | null> =>
    open({ title, multiple: false, filters: toDialogFilters(kinds) }),

  /** Shows a file or a folder in the program the person looks at files with. */
  showInFolder: (path: string) => revealItemInDir(path),

  /** Asks for a folder; null where the person cancels. */
  pickFolder: (title: string): Promise<string | null> =>
    open({ title, directory: true, multiple: false }),

  /** Asks where to write a file; null where the person cancels. */
  pickTarget: (title: string, name: string, kinds: readonly FileFilter[]): Promise<string | null> =>
    save({ title, defaultPath: safeFileName(name), filters: toDialogFilters(kinds) }),

  /**
   * Calls back with the paths of files dropped onto the window, and with whether some are held over
   * it; the page itself never sees them. The function it resolves to stops listening.
   */
  onDrop: (
    dropped: (paths: readonly string[]) => void,
    over: (held: boolean) => void,
  ): Promise<() => void> => {
    let files = false;
    return getCurrentWebview().onDragDropEvent(({ payload }) => {
      // On a Mac text that is dragged comes here, too, with no path.
      if (payload.type === 'enter') files = payload.paths.length > 0;
      over(files && (payload.type === 'enter' || payload.type === 'over'));
      if (payload.type === 'drop') dropped(payload.paths);
    });
  },

  /** Tells the person something while they look elsewhere, where the desktop does so. */
  notify: (title: string, body: string) =>
    invoke<null>('plugin:notification|notify', { options: { title, body } }),

  /** Lets the screen reader speak a text; null where the page's live regions are heard. */
  announce: /linux/i.test(navigator.platform)
    ? (text: string) => invoke<null>('announce', { text })
    : null,

  /** Enlarges everything in the window: 1 is as designed. */
  setZoom: (factor: number) => getCurrentWebview().setZoom(factor),
};

export type Desktop = typeof desktop;
