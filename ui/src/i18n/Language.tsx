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
import { formatsIn, type Formats } from './formats';
import { languageOfSystem, localeOf, textIn, type Language, type Text } from './text';

export type LanguageChoice = 'system' | Language;

type Spoken = { language: Language; text: Text; formats: Formats };

const spoken = (language: Language): Spoken => ({
  language,
  text: textIn(language),
  formats: formatsIn(language),
});

const LanguageContext = createContext<Spoken>(spoken('en'));

function onLanguageChange(changed: () => void) {
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
  const system = useSyncExternalStore(onLanguageChange, () =>
    languageOfSystem(navigator.languages),
  );
  const language = choice === 'system' ? system : choice;
  const value = useMemo(() => spoken(language), [language]);

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
