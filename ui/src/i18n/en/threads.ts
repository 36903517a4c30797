export const threads = {
  sessions: 'Sessions',
} as const;
