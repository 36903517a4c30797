export const aside = {
  title: 'Side question',
  about:
    'Asked from this conversation as it is now. Nothing of it goes into the conversation, and no tool runs.',
  conversation: 'Side questions and answers',
  question: 'Your question',
  ask: 'Ask',
  stop: 'Stop',
  waiting: 'Waiting for the model…',
  stopped: 'Stopped.',
  called: 'The model wanted to use a tool. No tool runs for a side question.',
  noWords: 'The model said nothing.',
  notCached: 'nothing read from the cache',
  keep: 'Keep it after all',
  kept: 'The side questions are in the thread now.',
  tooLong:
    'The question was not sent. Compact the thread first (/compact), or ask something shorter.',
  closeTitle: 'Forget the side questions?',
  closeWords: 'They are not stored. “Keep it after all” puts them at the end of the thread.',
  forget: 'Forget',
} as const;
