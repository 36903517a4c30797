export const quick = {
  continue: 'Continue in Skein',
  startOver: 'New question',
  about: 'Esc hides this window. Nothing here is stored until you continue in Skein.',
} as const;
