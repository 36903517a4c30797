/**
 * What a prompt of the person's own leaves open: `{{name}}` in its words.
 */
const variable = /\{\{\s*([^\s{}][^{}\n]*?)\s*\}\}/gu;

/** Each once, in the order in which they are met. */
export const variablesOf = (words: string): readonly string[] => [
  ...new Set([...words.matchAll(variable)].map(([, name = '']) => name)),
];

/** The words with their variables filled in; what a value says is left as it is. */
export const filledIn = (words: string, values: Readonly<Partial<Record<string, string>>>) =>
  words.replace(variable, (hole, name: string) => values[name] ?? hole);
