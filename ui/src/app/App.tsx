/** The composition root of the app window: providers around, features inside. */
import { Suspense } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { Backend } from '../ipc';
import { useStartupError } from '../state/queries/queries';
import { useText } from '../i18n';
import { BackendProvider } from '../ipc';
import { Spinner } from '../kit/display/Spinner';
import { AppContexts } from './AppContexts';
import { useDisplaySettings } from './useDisplaySettings';
import { AppWindow } from './AppWindow';
import { LazySessionWindow, LazyStartupError } from './dialogs/lazyPanels';
import { windowSession } from './windowSession';
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
 * The app window in the user's language, theme and size. While the settings are read nothing is shown.
 */
function LocalizedApp({ backend }: { backend: Backend }) {
  const { data: fault, isFetched: isStarted } = useStartupError();
  const look = useDisplaySettings(fault?.appearance ?? null);
  if (!look || !isStarted) return null;
  return (
    <AppContexts backend={backend} look={look}>
      <Suspense fallback={<LoadingPage />}>
        {fault ? <LazyStartupError fault={fault} /> : <OpenWindow />}
      </Suspense>
    </AppContexts>
  );
}

function OpenWindow() {
  return windowSession === null ? <AppWindow /> : <LazySessionWindow sessionId={windowSession} />;
}

function LoadingPage() {
  const text = useText();
  return <Spinner>{text('kit.loading')}</Spinner>;
}
