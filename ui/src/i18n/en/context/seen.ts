export const seen = {
  system: 'Skein’s own instructions',
  standing: 'Your instructions for every session',
  instructions: 'Your instructions',
  memory: 'Memory: {path}',
  server: 'Server: {name}',
  tool: 'Tool: {name}',
  opening: 'Words that Skein puts before the model’s first message',
  summary: 'Summary',
  anchors: 'Facts kept beside the summary',
  recall: 'How the model can find earlier messages',
  pinned: 'Pinned message',
  message: 'Message',
  passages: 'Earlier passages that fit the message',
  reminder: 'Reminder',
  draft: 'What is written in the message box',
  goOn: 'What asks the model to go on',
  as_user: 'as the user',
  as_assistant: 'as the model',
  tokenHint:
    'Models count text in tokens: a common English word is one, a Chinese character about one.',
  total: 'The next request: {tokens} tokens in all',
  totalThen: 'The request of this reply, as it was sent: {tokens} tokens in all',
  notStored:
    'The request of this reply is not stored. Skein stores it with each reply that ends here; replies from before, imported ones and copies have none.',
  removed: {
    one: '{count} line is missing: its message was deleted for good',
    other: '{count} lines are missing: their messages were deleted for good',
  },
  leftOut: {
    one: '{count} message is left out and not sent',
    other: '{count} messages are left out and not sent',
  },
} as const;
