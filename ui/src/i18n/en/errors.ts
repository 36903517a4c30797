export const errors = {
  unexpected: 'Something unexpected happened',
} as const;
