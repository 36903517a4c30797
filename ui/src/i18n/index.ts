export {
  LanguageProvider,
  useFormats,
  useLanguage,
  useText,
  type LanguageChoice,
} from './Language';
export type { Formats } from './formats';
export type { Language, Text } from './text';
export type { Key } from './types';
export { isBuiltIn } from './en/toolAbout';
