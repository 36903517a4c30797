export const commands = {
  commands: 'Commands',
  found: { one: '{count} command', other: '{count} commands' },
  context: 'Show how full the context is, and with what',
  compact: 'Summarise the older part of the conversation now',
  compactKeep: 'what to keep in particular (optional)',
  undoCompact: 'Take the latest compaction back',
  redoCompact: 'Put the compaction undone last back',
  new: 'Begin a new thread in this session',
  clear: 'Clear the mind: a new thread, the reminders stay',
  export: 'Save this session as a file',
  cleared: 'The mind was cleared. The thread before can still be read.',
} as const;
