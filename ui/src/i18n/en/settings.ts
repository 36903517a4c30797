export const settings = {
  settings: 'Settings',
} as const;
