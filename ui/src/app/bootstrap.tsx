/**
 * The start of the window: what its first frame shows is read before React draws it, which is then whole
 * and in the person's language and theme. Until then the frame in index.html stands.
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
