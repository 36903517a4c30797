export {
  LanguageProvider,
  useFormats,
  useLanguage,
  useText,
  type LanguageChoice,
} from './LanguageProvider';
export type { Formats } from './formats';
export type { LanguageCode as Language, Translate as Text } from './translate';
export type { TextKey as Key } from './en/textKeys';
export { isBuiltIn } from './en/conversation/toolAbout';
