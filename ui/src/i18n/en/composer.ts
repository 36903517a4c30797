export const composer = {
  message: 'Message',
  placeholder: 'Write a message, or / for commands',
  send: 'Send',
  stop: 'Stop',
  stopReply: 'Stop the reply',
  attach: 'Attach',
  attachments: 'Attachments',
  model: 'Model',
  recent: 'Recent',
  thinksAsSet: 'As set for the model',
  demo: 'Built in, offline',
  compacts:
    'This thread is too full for {model}. It is compacted before your next message is sent.',
  archives: 'This thread is too full for {model}. It is archived before your next message is sent.',
  tooLong:
    'This thread is too long for {model}. Compact it, or choose a model with a larger window.',
  unknown: '{model} answers from now on. Its context window is unknown.',
} as const;
