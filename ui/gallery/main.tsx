/**
 * Every part of the kit on one page, to be looked at while developing: `npm run dev`, then
 * /gallery/?lang=zh&theme=dark, and &dialog, &text or &text&stream. Not part of what is built.
 */
import { createRoot } from 'react-dom/client';
import '../src/styles/index.css';
import {
  LanguageProvider,
  loadLanguage,
  loadPanelTexts,
  wantedLanguage,
  type LanguageChoice,
} from '../src/i18n';
import { loadPopups } from '../src/kit/layers/popupLibrary';
import { LiveRegionProvider } from '../src/kit/notifications/LiveRegion';
import { ToastProvider } from '../src/kit/notifications/Toast';
import { Gallery } from './Gallery';
import { Text } from './Text';

const asked = new URLSearchParams(window.location.search);
const languages: Record<string, LanguageChoice> = { en: 'en', zh: 'zh' };
document.documentElement.dataset.theme = asked.get('theme') ?? 'light';

const root = document.getElementById('root');
if (root) {
  const language = languages[asked.get('lang') ?? ''] ?? 'system';
  await loadLanguage(wantedLanguage(language));
  await Promise.all([loadPanelTexts(), loadPopups()]);
  createRoot(root).render(
    <LanguageProvider choice={language}>
      <LiveRegionProvider>
        <ToastProvider>
          {asked.has('text') ? (
            <Text
              streaming={
                !asked.has('stream') ? 'no' : asked.get('stream') === 'fast' ? 'fast' : 'slowly'
              }
            />
          ) : (
            <Gallery dialogOpen={asked.has('dialog')} />
          )}
        </ToastProvider>
      </LiveRegionProvider>
    </LanguageProvider>,
  );
}
