/**
 * Starts the window for quick questions (`index.html?quick`). It has no HTML file of its own: a second entry
 * would split what both windows load into 14 kB more for the start of the app window.
 */
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage, loadPanelTexts, wantedLanguage } from '../../i18n';
import type { Backend } from '../../ipc';
import { makeQueryClient, prefetchAppearance, refetchOnChange } from '../../state/queries/queries';
import { languageChoice } from '../startup/languageChoice';
import { QuickAskApp } from './QuickAskApp';

export async function bootstrapQuickAsk(root: HTMLElement, backend: Backend) {
  const client = makeQueryClient();
  refetchOnChange(client, backend);
  const appearance = await prefetchAppearance(client, backend);
  // All texts: the window has no later part.
  await loadPanelTexts();
  await loadLanguage(wantedLanguage(languageChoice(appearance)));
  createRoot(root).render(
    <StrictMode>
      <QuickAskApp backend={backend} client={client} />
    </StrictMode>,
  );
}
