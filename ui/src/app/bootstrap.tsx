/**
 * Starts the app window. The data of the first frame is loaded before React renders, so that the
 * frame is complete and in the user's language and theme. Until then the page shows the frame in
 * index.html.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import type { Backend } from '../ipc';
import { refetchOnChange, makeQueryClient, prefetchFirstFrame } from '../state/queries/queries';
import { App } from './App';

export async function bootstrap(root: HTMLElement, backend: Backend) {
  const client = makeQueryClient();
  refetchOnChange(client, backend);
  await prefetchFirstFrame(client, backend);
  createRoot(root).render(
    <StrictMode>
      <App backend={backend} client={client} />
    </StrictMode>,
  );
}
