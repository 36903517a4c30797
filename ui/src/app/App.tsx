/** The composition root of the app window: providers around, features inside. */
import { Suspense, type ComponentProps } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { Backend } from '../ipc';
import { useStartupError } from '../state/queries/queries';
import { useText } from '../i18n';
import { BackendProvider } from '../ipc';
import { Spinner } from '../kit/display/Spinner';
import { AppContexts } from './AppContexts';
import { useDisplaySettings } from './useDisplaySettings';
import { AppWindow } from './AppWindow';
import { LazyStartupError } from './dialogs/lazyPanels';
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
