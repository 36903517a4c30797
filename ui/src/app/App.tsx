/** The composition root of the app window: providers around, features inside. */
import { Suspense, type ComponentProps } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { Backend } from '../ipc';
import { useSettings, useStartupError } from '../state/queries/queries';
import { useText } from '../i18n';
import { BackendProvider } from '../ipc';
import { Spinner } from '../kit/display/Spinner';
import { AppContexts, type DisplaySettings } from './AppContexts';
import { AppWindow } from './AppWindow';
import { LazyStartupError } from './dialogs/lazyPanels';
import { languageChoice } from './startup/languageChoice';
import './App.css';

export function App({ backend, client }: { backend: Backend; client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <BackendProvider value={backend}>
        <LocalizedApp backend={backend} />
      </BackendProvider>
    </QueryClientProvider>
  );
}

/**
 * The app window in the user's language, theme and size; in the system's if the settings cannot be
 * read. While they are read again nothing is shown, so that the language does not change on the
 * way.
 */
function LocalizedApp({ backend }: { backend: Backend }) {
  const { data, isFetched: isRead } = useSettings();
  const { data: fault, isFetched: isStarted } = useStartupError();
  if (!isRead || !isStarted) return null;
  const appearance = fault?.appearance ?? data?.settings.appearance;
  const look: DisplaySettings = {
    language: languageChoice(appearance),
    theme: appearance?.theme ?? 'system',
    zoom: (appearance?.zoom ?? 100) / 100,
    spelling: appearance?.spelling !== 'unchecked',
  };
  return (
    <AppContexts backend={backend} look={look}>
      {fault ? <StartupErrorPage fault={fault} /> : <AppWindow />}
    </AppContexts>
  );
}

function StartupErrorPage(props: ComponentProps<typeof LazyStartupError>) {
  const text = useText();
  return (
    <Suspense fallback={<Spinner>{text('kit.loading')}</Spinner>}>
      <LazyStartupError {...props} />
    </Suspense>
  );
}
