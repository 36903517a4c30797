export const keyboard = {
  send: 'Send a message with',
  enter: 'Enter',
  enterHint: 'Shift+Enter breaks the line.',
  modEnter: '{modifier}+Enter',
  modEnterHint: 'Enter breaks the line.',
  shortcuts: 'Keyboard shortcuts',
  sends: 'Send the message',
  breaks: 'Break the line',
  editsLast: 'Edit the last message, in an empty box',
  commands: 'Commands, at the beginning of a message',
  stops: 'Stop the reply, close what is open',
} as const;
