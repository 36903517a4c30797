/**
 * What a text may ask of the window.
 */
import { createContext, use } from 'react';

export type MarkdownActions = {
  /** Opens an http(s) or mailto address outside of the window. */
  openLink: (address: string) => void;
  /** Puts text on the clipboard. */
  copy: (text: string) => Promise<void>;
  /** Writes code into a file that the person chooses; `name` is offered. null: not from here. */
  saveCode: ((code: string, name: string) => void) | null;
  /**
   * Fetches a picture the person asked to see, and resolves to an address the window may show
   * (data: or blob:). null: pictures are never fetched here.
   */
  loadPicture: ((address: string) => Promise<string>) | null;
  /** A picture that was fetched before; null: it was not. What has left the page does not ask again. */
  loadedPicture: (address: string) => string | null;
  /** Shows a picture that was fetched over the window, under a name. null: not from here. */
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
