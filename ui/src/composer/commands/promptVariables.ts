/**
 * The variables of a user's prompt: `{{name}}` in its text.
 */
const placeholder = /\{\{\s*([^\s{}][^{}\n]*?)\s*\}\}/gu;

/** The names of the variables, each once, in the order of the text. */
export const promptVariables = (template: string): readonly string[] => [
  ...new Set([...template.matchAll(placeholder)].map(([, name = '']) => name)),
];

/** Fills in the variables. A `{{name}}` inside a value stays as it is. */
export const fillVariables = (
  template: string,
  values: Readonly<Partial<Record<string, string>>>,
) => template.replace(placeholder, (variable, name: string) => values[name] ?? variable);
