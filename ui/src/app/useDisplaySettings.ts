/** The language, theme and size of a window. */
import type { Appearance } from '../ipc/bindings';
import { useSettings } from '../state/queries/queries';
import type { DisplaySettings } from './AppContexts';
import { languageChoice } from './startup/languageChoice';

/**
 * The user's choices; the system's if the settings cannot be read. null: they are still being read, so that
 * the language does not change on the way. `instead` replaces them after a failed start.
 */
export function useDisplaySettings(instead: Appearance | null): DisplaySettings | null {
  const { data, isFetched } = useSettings();
  if (!isFetched) return null;
  const appearance = instead ?? data?.settings.appearance;
  return {
    language: languageChoice(appearance),
    theme: appearance?.theme ?? 'system',
    zoom: (appearance?.zoom ?? 100) / 100,
    spelling: appearance?.spelling !== 'unchecked',
  };
}
