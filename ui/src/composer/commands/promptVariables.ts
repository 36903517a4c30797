/**
 * What a prompt of the person's own leaves open: `{{name}}` in its words.
 */
const placeholder = /\{\{\s*([^\s{}][^{}\n]*?)\s*\}\}/gu;

/** Each once, in the order in which they are met. */
export const promptVariables = (words: string): readonly string[] => [
  ...new Set([...words.matchAll(placeholder)].map(([, name = '']) => name)),
];

/** The words with their variables filled in; what a value says is left as it is. */
export const fillVariables = (words: string, values: Readonly<Partial<Record<string, string>>>) =>
  words.replace(placeholder, (hole, name: string) => values[name] ?? hole);
