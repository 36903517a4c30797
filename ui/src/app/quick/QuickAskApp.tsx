/** The window for quick questions: the contexts around them, and the way into the app window. */
import { useEffect, useEffectEvent, useState } from 'react';
import { QueryClientProvider, type QueryClient } from '@tanstack/react-query';
import { QuickAsk } from '../../aside/QuickAsk';
import { useText } from '../../i18n';
import { BackendProvider, useBackend, type Backend } from '../../ipc';
import type { SessionId } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
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
        <UnusedSession />
      </AppContexts>
    )
  );
}

/** Asks from an unused session, whose context is that of a new conversation. */
function UnusedSession() {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useEffectEvent(useReportError(useToast()));
  const [session, setSession] = useState<SessionId | null>(null);
  const title = text('app.quickAsk');
  useEffect(() => {
    document.title = title;
  }, [title]);
  useEffect(() => {
    reportError(commands.newChat('', [], null).then(setSession));
  }, [commands]);
  return session !== null && <QuickAsk key={session} sessionId={session} onNew={setSession} />;
}
