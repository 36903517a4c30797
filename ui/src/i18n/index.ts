export {
  LanguageProvider,
  useFormats,
  useLanguage,
  useText,
  wantedLanguage,
  type LanguageChoice,
} from './LanguageProvider';
export type { Formats } from './formats';
export { loadLanguage, loadPanelTexts, type LanguageCode } from './dictionaries';
export type { Translate } from './translate';
export type { TextKey } from './en/textKeys';
export { isBuiltIn } from './en/conversation/toolAbout';
