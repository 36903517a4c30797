import type { LanguageChoice } from '../../i18n';
import type { Appearance } from '../../ipc/bindings';

/** The language that the settings ask for; undefined: they could not be read. */
export function languageChoice(appearance: Appearance | undefined): LanguageChoice {
  switch (appearance?.language) {
    case 'english':
      return 'en';
    case 'chinese':
      return 'zh';
    case null:
    case undefined:
      return 'system';
  }
}
