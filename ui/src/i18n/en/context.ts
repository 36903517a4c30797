export const context = {
  estimate: 'Context estimate',
} as const;
