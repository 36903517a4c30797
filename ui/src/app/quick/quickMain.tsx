/**
 * Starts the window for quick questions (quick.html).
 */
import '../../styles/index.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { loadLanguage, loadPanelTexts, wantedLanguage } from '../../i18n';
import { tauriBackend } from '../../ipc/tauri';
import { makeQueryClient, prefetchAppearance, refetchOnChange } from '../../state/queries/queries';
import { languageChoice } from '../startup/languageChoice';
import { QuickAskApp } from './QuickAskApp';

const root = document.getElementById('root');
if (!root) throw new Error('quick.html has no #root');
const client = makeQueryClient();
refetchOnChange(client, tauriBackend);
const appearance = await prefetchAppearance(client, tauriBackend);
// All texts: the window has no later part.
await loadPanelTexts();
await loadLanguage(wantedLanguage(languageChoice(appearance)));
createRoot(root).render(
  <StrictMode>
    <QuickAskApp backend={tauriBackend} client={client} />
  </StrictMode>,
);
