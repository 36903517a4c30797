/**
 * The composition root of the window: providers around, features inside.
 */
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import type { Backend } from '../ipc';
import { useSettings, useStartFault } from '../state/reading';
import { BackendProvider } from '../ipc';
import { Providers, type Look } from './Providers';
import { StartFault } from './StartFault';
import { Window } from './Window';
import './App.css';

export function App({ backend, client }: { backend: Backend; client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <BackendProvider value={backend}>
        <Dressed backend={backend} />
      </BackendProvider>
    </QueryClientProvider>
  );
}

/**
 * The window in the person's language, theme and size; the system's where they cannot be read. Where
 * that has to be read again there is nothing: words in one language would be followed by another's.
 */
function Dressed({ backend }: { backend: Backend }) {
  const { data, isFetched: isRead } = useSettings();
  const { data: fault, isFetched: isStarted } = useStartFault();
  if (!isRead || !isStarted) return null;
  const appearance = fault?.appearance ?? data?.settings.appearance;
  const look: Look = {
    language:
      appearance?.language === 'english'
        ? 'en'
        : appearance?.language === 'chinese'
          ? 'zh'
          : 'system',
    theme: appearance?.theme ?? 'system',
    zoom: (appearance?.zoom ?? 100) / 100,
    spelling: appearance?.spelling !== 'unchecked',
  };
  return (
    <Providers backend={backend} look={look}>
      {fault ? <StartFault fault={fault} /> : <Window />}
    </Providers>
  );
}
