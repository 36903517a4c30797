/**
 * The contexts of the app window, in their order: language and theme, notifications, the desktop,
 * and the actions that Markdown content may trigger.
 */
import { useLayoutEffect, useMemo, useState, type ReactNode } from 'react';
import { LanguageProvider, useText, type LanguageChoice } from '../i18n';
import { BackendProvider, useBackend, type Backend } from '../ipc';
import { LiveRegionProvider } from '../kit/notifications/LiveRegion';
import { ErrorBoundary } from '../kit/display/ErrorBoundary';
import { isMac } from '../kit/keyboard/shortcuts';
import { ToastProvider, useToast } from '../kit/notifications/Toast';
import { MarkdownActionsProvider } from '../markdown/render/markdownActions';
import { excerpt } from '../state/text/excerpt';
import { ErrorContextProvider } from './ErrorContextProvider';
import { useLiveRegionSpeech } from './desktop/liveRegionSpeech';

export type DisplaySettings = {
  language: LanguageChoice;
  theme: 'system' | 'light' | 'dark';
  /** 1 is the designed size. */
  zoom: number;
  /** Text areas are spell-checked. */
  spelling: boolean;
};

/** Enough letters of an address to tell it from others. */
const maxLinkChars = 80;

type AppContextsProps = { backend: Backend; look: DisplaySettings; children: ReactNode };

export function AppContexts({ backend, look, children }: AppContextsProps) {
  const { desktop } = backend;
  useLiveRegionSpeech(desktop);

  useLayoutEffect(() => {
    if (look.theme === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = look.theme;
  }, [look.theme]);

  // The default of all fields. Not on macOS: there the webview would also replace quotes and
  // dashes in text that programs read.
  useLayoutEffect(() => {
    document.documentElement.setAttribute('spellcheck', String(look.spelling && !isMac));
  }, [look.spelling]);

  useLayoutEffect(() => {
    desktop.setZoom(look.zoom).catch((error: unknown) => {
      console.error('the zoom could not be set', error);
    });
  }, [desktop, look.zoom]);

  return (
    <LanguageProvider choice={look.language}>
      <LiveRegionProvider>
        <ToastProvider>
          <BackendProvider value={backend}>
            <AppMarkdownActions>
              <ErrorContextProvider>
                <ErrorBoundary holds={null}>{children}</ErrorBoundary>
              </ErrorContextProvider>
            </AppMarkdownActions>
          </BackendProvider>
        </ToastProvider>
      </LiveRegionProvider>
    </LanguageProvider>
  );
}

/** The actions of Markdown content. Errors are shown. */
function AppMarkdownActions({ children }: { children: ReactNode }) {
  const text = useText();
  const toast = useToast();
  const { commands, desktop } = useBackend();
  const [pictures] = useState(() => new Map<string, string>());
  const actions = useMemo(
    () => ({
      openLink: (address: string) => {
        desktop.openLink(address).catch((error: unknown) => {
          console.error('the address could not be opened', error);
          const words = text('transcript.linkNotOpened', {
            address: excerpt(address, maxLinkChars),
          });
          toast({ words, failed: true });
        });
      },
      copy: desktop.copyText,
      // Set where a conversation is shown.
      saveCode: null,
      loadPicture: async (address: string) => {
        const picture = await commands.loadPicture(address);
        pictures.set(address, picture);
        return picture;
      },
      loadedPicture: (address: string) => pictures.get(address) ?? null,
      // Set where a conversation is shown.
      openPicture: null,
    }),
    [commands, desktop, pictures, text, toast],
  );
  return <MarkdownActionsProvider value={actions}>{children}</MarkdownActionsProvider>;
}
