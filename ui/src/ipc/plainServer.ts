/**
 * An MCP server that is ready and has nothing yet, for tests and the gallery.
 */
import type { McpServerStatus } from './bindings';

export const readyMcpServer: McpServerStatus = {
  name: 'loom',
  state: { type: 'ready' },
  signIn: { type: 'notAsked' },
  signedIn: false,
  values: [],
  stderr: [],
  tools: [],
  tooLong: [],
  shortened: [],
  prompts: [],
  resources: [],
};
