/**
 * The language of everything below it: of words, numbers, dates and of the document itself.
 */
import {
  createContext,
  use,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import { createFormats, type Formats } from './formats';
import {
  detectLanguage,
  localeOf,
  createTranslate,
  type LanguageCode,
  type Translate,
} from './translate';

export type LanguageChoice = 'system' | LanguageCode;

type LanguageContextValue = { language: LanguageCode; text: Translate; formats: Formats };

const languageContextValue = (language: LanguageCode): LanguageContextValue => ({
  language,
  text: createTranslate(language),
  formats: createFormats(language),
});

const LanguageContext = createContext<LanguageContextValue>(languageContextValue('en'));

function subscribeToLanguage(changed: () => void) {
  window.addEventListener('languagechange', changed);
  return () => {
    window.removeEventListener('languagechange', changed);
  };
}

export function LanguageProvider({
  choice,
  children,
}: {
  choice: LanguageChoice;
  children: ReactNode;
}) {
  const system = useSyncExternalStore(subscribeToLanguage, () =>
    detectLanguage(navigator.languages),
  );
  const language = choice === 'system' ? system : choice;
  const value = useMemo(() => languageContextValue(language), [language]);

  useLayoutEffect(() => {
    document.documentElement.lang = localeOf[language];
  }, [language]);

  return <LanguageContext value={value}>{children}</LanguageContext>;
}

/** Sentences by their key, in the language of the interface. */
export const useText = () => use(LanguageContext).text;

/** Numbers and dates in the language of the interface. */
export const useFormats = () => use(LanguageContext).formats;

export const useLanguage = () => use(LanguageContext).language;
