export const sentTools = {
  deferredTools: {
    one: '{count} tool of a server is not loaded: the model has its name and one line, and reads the rest when it needs it.',
    other:
      '{count} tools of servers are not loaded: of each the model has the name and one line, and reads the rest when it needs it.',
  },
  deferredSaves: 'That saves {tokens} tokens in every request.',
  deferredSavesCost: 'That saves {tokens} tokens in every request, now {cost}.',
  loadedTools: 'Loaded in this thread: {names}.',
  deferredNames: 'Which are not loaded',
  deferredTool: '{name}: {tokens} tokens',
  toolsLeftOut:
    'These tools are not sent, because the tools of all MCP servers together would take more than half of the window, or more than 100,000 tokens: {names}.',
} as const;
