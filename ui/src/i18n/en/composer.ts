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
    'This conversation is above the compaction threshold of {model}: it is compacted before your next message is sent.',
  archives:
    'This conversation is too full for {model}: it is archived before your next message is sent.',
  tooLong: 'This conversation is too long for {model}. Compact it, or choose a larger model.',
  unknown: '{model} answers from now on. Its context window is unknown.',
} as const;
