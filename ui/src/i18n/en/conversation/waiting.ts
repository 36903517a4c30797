export const waiting = {
  title: 'Waiting messages',
  running: {
    one: 'This message will be sent when the reply has ended.',
    other: 'These {count} messages will be sent one after the other when the reply has ended.',
  },
  sending: {
    one: 'This message is being sent.',
    other: 'These {count} messages are being sent one after the other.',
  },
  storing: 'Sending…',
  paused: {
    one: 'This message has not been sent yet.',
    other: 'These {count} messages have not been sent yet.',
  },
  sendNow: 'Send now',
  sendNext: 'Send next',
  edit: 'Take back into the message box: “{start}”',
  remove: 'Remove “{start}”',
  removed: 'The waiting message was removed.',
  attachments: { one: '{count} attachment', other: '{count} attachments' },
} as const;
