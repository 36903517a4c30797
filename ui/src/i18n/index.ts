export {
  LanguageProvider,
  useFormats,
  useLanguage,
  useText,
  type LanguageChoice,
} from './Language';
export type { Formats } from './formats';
export type { LanguageCode as Language, Translate as Text } from './text';
export type { TextKey as Key } from './types';
export { isBuiltIn } from './en/toolAbout';
