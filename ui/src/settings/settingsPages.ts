import type { ModelRef, ProviderId } from '../ipc/bindings';

/** The pages of the settings in their order. Their components are loaded with the dialog. */
export const settingsPages = [
  'context',
  'providers',
  'appearance',
  'keyboard',
  'desktop',
  'tools',
  'memory',
  'data',
  'usage',
  'network',
  'about',
] as const;

export type SettingsPage = (typeof settingsPages)[number];

/**
 * A page. On that of the providers, also the model whose context window the user sets, or the provider to
 * open; null: a new one.
 */
export type SettingsTarget = {
  page: SettingsPage;
  model?: ModelRef;
  provider?: ProviderId | null;
  /** The labels of the disclosures on the way, then of the control. */
  control?: readonly string[];
};
