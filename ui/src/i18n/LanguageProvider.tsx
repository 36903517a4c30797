/**
 * The language of everything below it: of words, numbers, dates and of the document itself.
 */
import {
  createContext,
  use,
  useEffect,
  useLayoutEffect,
  useMemo,
  useSyncExternalStore,
  type ReactNode,
} from 'react';
import {
  loadedLanguage,
  loadLanguage,
  subscribeToDictionaries,
  type LanguageCode,
} from './dictionaries';
import { createFormats, type Formats } from './formats';
import { detectLanguage, localeOf, createTranslate, type Translate } from './translate';

export type LanguageChoice = 'system' | LanguageCode;

/** The wanted language where React is not rendering yet. */
export const wantedLanguage = (choice: LanguageChoice): LanguageCode =>
  choice === 'system' ? detectLanguage(navigator.languages) : choice;

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
  const wanted = choice === 'system' ? system : choice;
  useEffect(() => {
    void loadLanguage(wanted);
  }, [wanted]);
  const language = useSyncExternalStore(subscribeToDictionaries, () => loadedLanguage(wanted));
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
