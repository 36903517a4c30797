export const app = {
  skipToMessage: 'Skip to the message box',
} as const;
