export const app = {
  skipToMessage: 'Skip to the message box',
  failedTitle: 'This part of the window stopped working',
  failedAdvice:
    'Your conversations are safe: they are stored outside of the window. Try again, or reload the window.',
  tryAgain: 'Try again',
  reload: 'Reload the window',
  errorDetails: 'What went wrong',
} as const;
