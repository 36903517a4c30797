/** The pages of the settings in their order. The pages themselves are loaded with the dialog. */
export const settingsPages = [
  'context',
  'providers',
  'appearance',
  'keyboard',
  'tools',
  'memory',
  'data',
  'network',
  'about',
] as const;

export type SettingsPage = (typeof settingsPages)[number];
