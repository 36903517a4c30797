/** What could leave the context: texts of `context/savings`. */
export const savings = {
  title: 'What could go',
  unusedTools: {
    one: '{count} tool of a server, not used in the last {rounds} rounds: {names}',
    other: '{count} tools of servers, not used in the last {rounds} rounds: {names}',
  },
  attachment: '“{name}”, attached to message {number}',
  toolResult: 'The call of “{name}” in message {number}, with its result',
  pinned: 'Pinned message {number}, which a summary covers, too',
  instructionFile: 'The instruction file “{name}”',
  compaction: 'The older messages, if a summary takes their place',
  saves: 'saves {tokens} tokens with each message',
  savesCost: '{tokens} tokens, {cost} a message',
  act_unusedTools: 'Switch off in every session',
  act_attachment: 'Leave the message out',
  act_toolResult: 'Leave the message out',
  act_pinned: 'Unpin',
  act_instructionFile: 'Show the file',
  act_compaction: 'Compact',
  switchedOff: {
    one: '{count} tool is switched off in every session.',
    other: '{count} tools are switched off in every session.',
  },
} as const;
