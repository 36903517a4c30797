/** The window for quick questions: the contexts around them, and the way into the app window. */
import { useEffect } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { QuickAsk } from '../../aside/QuickAsk';
import { useText } from '../../i18n';
import { BackendProvider, type Backend } from '../../ipc';
import { AppContexts } from '../AppContexts';
import { useDisplaySettings } from '../useDisplaySettings';

export function QuickAskApp({ backend, client }: { backend: Backend; client: QueryClient }) {
  return (
    <QueryClientProvider client={client}>
      <BackendProvider value={backend}>
        <LocalizedQuickAsk backend={backend} />
      </BackendProvider>
    </QueryClientProvider>
  );
}

function LocalizedQuickAsk({ backend }: { backend: Backend }) {
  const look = useDisplaySettings(null);
  return (
    look && (
      <AppContexts backend={backend} look={look}>
        <TitledQuickAsk />
      </AppContexts>
    )
  );
}

function TitledQuickAsk() {
  const text = useText();
  const title = text('app.quickAsk');
  useEffect(() => {
    document.title = title;
  }, [title]);
  return <QuickAsk />;
}
