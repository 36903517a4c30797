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
  thinksAsSet: 'The model’s own setting',
  demo: 'Built in, offline',
  compacts:
    'This conversation is larger than {model} should hold: the next message compacts it first.',
  archives: 'This conversation is larger than {model} holds: the next message archives it first.',
  tooLong: 'This conversation does not fit {model}. Compact it, or choose a larger model.',
  unknown: '{model} answers from now on. Its context window is unknown.',
} as const;
