/**
 * The composition root of the window: providers around, features inside.
 */
import { QueryClientProvider } from '@tanstack/react-query';
import { useState } from 'react';
import type { Backend } from '../ipc';
import { makeQueryClient, useSettings, useStartFault } from '../state/reading';
import { BackendProvider } from '../ipc';
import { Providers, type Look } from './Providers';
import { StartFault } from './StartFault';
import { Window } from './Window';
import './App.css';

export function App({ backend }: { backend: Backend }) {
  const [client] = useState(makeQueryClient);
  return (
    <QueryClientProvider client={client}>
      <BackendProvider value={backend}>
        <Dressed backend={backend} />
      </BackendProvider>
    </QueryClientProvider>
  );
}

/** The window in the person's language, theme and size; the system's until they are read. */
function Dressed({ backend }: { backend: Backend }) {
  const { data } = useSettings();
  const { data: fault } = useStartFault();
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
  };
  return (
    <Providers backend={backend} look={look}>
      {fault ? <StartFault fault={fault} /> : <Window />}
    </Providers>
  );
}
