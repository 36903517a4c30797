export const composer = {
  message: 'Message',
} as const;
