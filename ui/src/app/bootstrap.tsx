/**
 * Starts the app window. The data of the first frame is loaded before React renders, so that the
 * frame is complete and in the user's language and theme. Until then the page shows the frame in
 * index.html.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { notifyManager } from '@tanstack/react-query';
import { loadLanguage, wantedLanguage } from '../i18n';
import type { Backend } from '../ipc';
import {
  refetchOnChange,
  makeQueryClient,
  prefetchAppearance,
  prefetchFirstFrame,
} from '../state/queries/queries';
import { framePacer } from '../state/turn/framePacer';
import { App } from './App';
import { languageChoice } from './startup/languageChoice';

export async function bootstrap(root: HTMLElement, backend: Backend) {
  notifyManager.setScheduler((notify) => {
    framePacer.scheduleBetweenKeys(notify);
  });
  const client = makeQueryClient();
  refetchOnChange(client, backend);
  const textsLoaded = prefetchAppearance(client, backend).then((appearance) =>
    loadLanguage(wantedLanguage(languageChoice(appearance))),
  );
  await Promise.all([prefetchFirstFrame(client, backend), textsLoaded]);
  createRoot(root).render(
    <StrictMode>
      <App backend={backend} client={client} />
    </StrictMode>,
  );
}
