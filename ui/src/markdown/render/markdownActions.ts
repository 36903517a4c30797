/**
 * The actions that a rendered text asks the app window for.
 */
import { createContext, use } from 'react';

export type MarkdownActions = {
  /** Opens an http(s) or mailto URL in the browser. */
  openLink: (address: string) => void;
  /** Puts text on the clipboard. */
  copy: (text: string) => Promise<void>;
  /** Saves code to a file that the user chooses; `name` is suggested. null: not available here. */
  saveCode: ((code: string, name: string) => void) | null;
  /**
   * Fetches an image on request. Resolves to a URL that the webview may show (data: or blob:). null: images
   * are never fetched here.
   */
  loadPicture: ((address: string) => Promise<string>) | null;
  /**
   * The URL of an image that was fetched before; null: it was not. A remounted image does not ask again.
   */
  loadedPicture: (address: string) => string | null;
  /** Shows a fetched image in a dialog with a title. null: not available here. */
  openPicture: ((picture: string, name: string) => void) | null;
};

const MarkdownContext = createContext<MarkdownActions>({
  openLink: () => undefined,
  copy: () => Promise.resolve(),
  saveCode: null,
  loadPicture: null,
  loadedPicture: () => null,
  openPicture: null,
});

export const MarkdownActionsProvider = MarkdownContext.Provider;
export const useMarkdownActions = () => use(MarkdownContext);
