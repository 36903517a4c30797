/**
 * What everything in the window relies on, in its order: language and theme, ways to say something,
 * the desktop, and what a model's text may ask for.
 */
import { useLayoutEffect, useMemo, type ReactNode } from 'react';
import { LanguageProvider, type LanguageChoice } from '../i18n';
import { BackendProvider, type Backend } from '../ipc';
import { AnnouncerProvider } from '../kit/Announcer';
import { ErrorBoundary } from '../kit/ErrorBoundary';
import { onMac } from '../kit/shortcuts';
import { ToastProvider } from '../kit/Toast';
import { MarkdownActionsProvider } from '../markdown/actions';
import { Caught } from './Caught';

export type Look = {
  language: LanguageChoice;
  theme: 'system' | 'light' | 'dark';
  /** 1 is as designed. */
  zoom: number;
  /** What is written in boxes of several lines is checked as it is written. */
  spelling: boolean;
};

type ProvidersProps = { backend: Backend; look: Look; children: ReactNode };

export function Providers({ backend, look, children }: ProvidersProps) {
  const { commands, desktop } = backend;

  useLayoutEffect(() => {
    if (look.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = look.theme;
  }, [look.theme]);

  // Every box goes by it that decides nothing itself. Not on a Mac: with the check its webview makes curly
  // quotes and dashes of what people write for a program to read.
  useLayoutEffect(() => {
    document.documentElement.setAttribute('spellcheck', String(look.spelling && !onMac));
  }, [look.spelling]);

  useLayoutEffect(() => {
    desktop.setZoom(look.zoom).catch((error: unknown) => {
      console.error('the zoom could not be set', error);
    });
  }, [desktop, look.zoom]);

  const actions = useMemo(() => {
    const pictures = new Map<string, string>();
    return {
      openLink: (address: string) => {
        desktop.openLink(address).catch((error: unknown) => {
          console.error('the address could not be opened', error);
        });
      },
      copy: desktop.copyText,
      // Where a conversation is seen, it can.
      saveCode: null,
      loadPicture: async (address: string) => {
        const picture = await commands.loadPicture(address);
        pictures.set(address, picture);
        return picture;
      },
      loadedPicture: (address: string) => pictures.get(address) ?? null,
      // Where a conversation is seen, it does.
      openPicture: null,
    };
  }, [commands, desktop]);

  return (
    <LanguageProvider choice={look.language}>
      <AnnouncerProvider>
        <ToastProvider>
          <BackendProvider value={backend}>
            <MarkdownActionsProvider value={actions}>
              <Caught>
                <ErrorBoundary holds={null}>{children}</ErrorBoundary>
              </Caught>
            </MarkdownActionsProvider>
          </BackendProvider>
        </ToastProvider>
      </AnnouncerProvider>
    </LanguageProvider>
  );
}
