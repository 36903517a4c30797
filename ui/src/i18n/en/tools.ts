export const tools = {
  toolsAndMcp: 'Tools and MCP',
} as const;
