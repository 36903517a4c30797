import type { ModelRef, ProviderId } from '../ipc/bindings';

/** The pages of the settings in their order. The pages themselves are loaded with the dialog. */
export const settingsPages = [
  'context',
  'providers',
  'appearance',
  'keyboard',
  'tools',
  'memory',
  'data',
  'usage',
  'network',
  'about',
] as const;

export type SettingsPage = (typeof settingsPages)[number];

/**
 * A page, and on that of the providers the model whose context window is asked for, or the provider that is
 * wanted; null: a new one.
 */
export type SettingsTarget = {
  page: SettingsPage;
  model?: ModelRef;
  provider?: ProviderId | null;
  /** The words of the control that is wanted, behind those of what has to be opened for it. */
  control?: readonly string[];
};
