export const commands = {
  commands: 'Commands',
  found: { one: '{count} command', other: '{count} commands' },
  context: 'Show how full the context is, and with what',
  compact: 'Summarise the older part of the conversation now',
  notDone: '“{line}” was not done. {why}',
  compactKeep: 'what to keep in particular (optional)',
  undoCompact: 'Undo the latest compaction',
  redoCompact: 'Redo the compaction you undid last',
  new: 'Begin a new thread in this session',
  clear: 'Begin a new thread with an empty context; the reminders come along',
  export: 'Save this session as a file',
  cleared: 'A new thread began with an empty context. The one before can still be read.',
} as const;
