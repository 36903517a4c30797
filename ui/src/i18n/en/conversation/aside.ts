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
  keep: 'Add to the conversation',
  kept: 'The side questions are in the conversation now.',
  tooLong:
    'The question was not sent. Compact the conversation first (/compact), or ask something shorter.',
  closeTitle: 'Forget the side questions?',
  closeWords: 'They are not stored. “Add to the conversation” puts them at its end.',
  forget: 'Forget',
} as const;
