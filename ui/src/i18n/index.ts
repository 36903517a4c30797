export {
  LanguageProvider,
  useFormats,
  useLanguage,
  useText,
  type LanguageChoice,
} from './LanguageProvider';
export type { Formats } from './formats';
export type { LanguageCode, Translate } from './translate';
export type { TextKey } from './en/textKeys';
export { isBuiltIn } from './en/conversation/toolAbout';
