/**
 * The desktop through Tauri's plugins.
 */
import { invoke } from '@tauri-apps/api/core';
import { writeHtml, writeText } from '@tauri-apps/plugin-clipboard-manager';
import { open, save } from '@tauri-apps/plugin-dialog';
import { openUrl, revealItemInDir } from '@tauri-apps/plugin-opener';

/** A file filter of a dialog: a name in the user's language, and extensions without their dot. */
export type FileFilter = { name: string; endings: readonly string[] };

const toDialogFilters = (kinds: readonly FileFilter[]) =>
  kinds.map(({ name, endings }) => ({ name, extensions: [...endings] }));

/** Converts a picture to PNG, the only type a clipboard takes. */
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
  /** Opens an http(s) or mailto address in the user's program for it. */
  openLink: (address: string) => openUrl(address),

  /** Copies text to the clipboard. */
  copyText: (text: string) => writeText(text),

  /** Copies text to the clipboard, together with its HTML form for programs that take that. */
  copyFormatted: (text: string, html: string) => writeHtml(html, text),

  /** Copies a picture to the clipboard, from an address the page may load. */
  copyPicture: (address: string) =>
    navigator.clipboard.write([new ClipboardItem({ 'image/png': toPng(address) })]),

  /** Asks for files to read; empty if the user cancels. `kinds` empty: any file. */
  pickFiles: async (title: string, kinds: readonly FileFilter[]): Promise<readonly string[]> =>
    (await open({ title, multiple: true, filters: toDialogFilters(kinds) })) ?? [],

  /** Asks for one file to read; null if the user cancels. */
  pickFile: (title: string, kinds: readonly FileFilter[]): Promise<string | null> =>
    open({ title, multiple: false, filters: toDialogFilters(kinds) }),

  /** Shows a file or a folder in the user's file manager. */
  showInFolder: (path: string) => revealItemInDir(path),

  /** Asks for a folder; null if the user cancels. */
  pickFolder: (title: string): Promise<string | null> =>
    open({ title, directory: true, multiple: false }),

  /** Asks for a file to write; null if the user cancels. */
  pickTarget: async (
    title: string,
    name: string,
    kinds: readonly FileFilter[],
  ): Promise<string | null> => {
    // Loaded here, because the first frame does not need it.
    const { safeFileName } = await import('./safeFileName');
    return save({ title, defaultPath: safeFileName(name), filters: toDialogFilters(kinds) });
  },

  /**
   * Calls back with the paths of files dropped onto the app window, and when files are dragged
   * over it; the page itself never gets them. The function it resolves to stops listening.
   */
  onDrop: async (
    dropped: (paths: readonly string[]) => void,
    over: (held: boolean) => void,
  ): Promise<() => void> => {
    let files = false;
    // Loaded here, because the first frame does not need it.
    const { getCurrentWebview } = await import('@tauri-apps/api/webview');
    return getCurrentWebview().onDragDropEvent(({ payload }) => {
      // On macOS dragged text causes this event as well, without a path.
      if (payload.type === 'enter') files = payload.paths.length > 0;
      over(files && (payload.type === 'enter' || payload.type === 'over'));
      if (payload.type === 'drop') dropped(payload.paths);
    });
  },

  /** True if the user is in a window of Skein, in this one or another. */
  hasFocus: () => invoke<boolean>('has_focus'),

  /** Shows a desktop notification, if the desktop supports them. */
  notify: (title: string, body: string) =>
    invoke<null>('plugin:notification|notify', { options: { title, body } }),

  /** Lets the screen reader speak a text; null where the page's live regions are heard. */
  announce: /linux/i.test(navigator.platform)
    ? (text: string) => invoke<null>('announce', { text })
    : null,

  /** Sets the zoom of the page; 1 is the designed size. */
  setZoom: (factor: number) => invoke<null>('plugin:webview|set_webview_zoom', { value: factor }),
};

export type Desktop = typeof desktop;
