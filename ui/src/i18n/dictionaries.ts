/**
 * The texts of each language, in parts that are loaded when they are first needed: the start reads one
 * language, and of it only the part of the first frame. `ui/lint/entry.test.js` compares the areas in that
 * part with the code that is loaded at the start.
 */
import type { Plural } from './en/textKeys';

export type LanguageCode = 'en' | 'zh';

/** Texts by area and name. */
type Dictionary = Readonly<Record<string, Readonly<Record<string, string | Plural>>>>;

type Part = 'firstFrame' | 'panels';

const loaders: Record<LanguageCode, Record<Part, () => Promise<Dictionary>>> = {
  en: {
    firstFrame: async () => (await import('./en/firstFrame')).firstFrame,
    panels: async () => (await import('./en/panels')).panels,
  },
  zh: {
    firstFrame: async () => (await import('./zh/firstFrame')).firstFrame,
    panels: async () => (await import('./zh/panels')).panels,
  },
};

/** The parts that a language needs before it is shown. */
let neededParts: readonly Part[] = ['firstFrame'];

const loaded = new Map<LanguageCode, Partial<Record<Part, Dictionary>>>();
const listeners = new Set<() => void>();

/** undefined: the area is not loaded. */
export function textsOf(language: LanguageCode, area: string) {
  const { firstFrame, panels } = loaded.get(language) ?? {};
  return firstFrame?.[area] ?? panels?.[area];
}

function isLoaded(language: LanguageCode) {
  const parts = loaded.get(language);
  return parts !== undefined && neededParts.every((part) => parts[part] !== undefined);
}

/** The language that is shown for a wanted one: another one until the wanted one is loaded. */
export const loadedLanguage = (wanted: LanguageCode): LanguageCode =>
  isLoaded(wanted) ? wanted : ([...loaded.keys()].find(isLoaded) ?? wanted);

/** Calls `listener` after each language that is loaded. The returned function ends that. */
export function subscribeToDictionaries(listener: () => void) {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

async function loadNeededParts(language: LanguageCode) {
  await Promise.all(
    neededParts.map(async (part) => {
      if (loaded.get(language)?.[part] !== undefined) return;
      const texts = await loaders[language][part]();
      loaded.set(language, { ...loaded.get(language), [part]: texts });
    }),
  );
}

/** Loads a language. An error goes to the console: the texts stay in a language that is loaded. */
export async function loadLanguage(language: LanguageCode) {
  try {
    await loadNeededParts(language);
  } catch (error) {
    console.error(`the texts of "${language}" could not be loaded`, error);
    return;
  }
  for (const listener of listeners) listener();
}

/** Loads the texts of everything that is not in the first frame. Throws what the import throws. */
export async function loadPanelTexts() {
  neededParts = ['firstFrame', 'panels'];
  await Promise.all([...loaded.keys()].map(loadNeededParts));
}
