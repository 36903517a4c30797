export const diagnostics = {
  safeMode:
    'Safe mode: no MCP server is started, and nothing is compacted, cleared or archived automatically.',
  safeModeHint: 'Your settings are unchanged. They hold again once Skein is started as usual.',
  copy: 'Copy diagnostics',
  copyHint:
    'For a report: versions, the system and the last events of the log. No key, no word of a conversation and no path of your home is in it.',
} as const;
