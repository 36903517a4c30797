/**
 * MCP servers in the person's language: what cannot be used of a configuration, and why one is not
 * there. A kind without words does not compile.
 */
import type { Text } from '../i18n';
import type { ConfigProblem, Fault, McpServerStatus } from '../ipc/bindings';

export function configWords(text: Text, problem: ConfigProblem): string {
  switch (problem.type) {
    case 'notJson':
      return text('settings.mcp_notJson', {
        line: problem.line,
        column: problem.column,
        detail: problem.detail,
      });
    case 'noServers':
      return text('settings.mcp_noServers');
    case 'nothingToStart':
      return text('settings.mcp_nothingToStart', { server: problem.server });
    case 'wrongType':
      return text('settings.mcp_wrongType', { server: problem.server, key: problem.key });
  }
}

function mcpFaultWords(text: Text, fault: Fault): string {
  switch (fault.type) {
    case 'programMissing':
      return text('settings.mcp_programMissing', { program: fault.program });
    case 'valueMissing':
      return text('settings.mcp_valueMissing', { name: fault.name });
    case 'invalid':
    case 'unreachable':
    case 'notRenewed':
    case 'protocol':
      return text(`settings.mcp_${fault.type}`, { detail: fault.detail });
    case 'ended':
      return text('settings.mcp_ended', {
        code: fault.code === null ? '–' : String(fault.code),
        detail: fault.detail,
      });
    case 'unauthorized':
      return text('settings.mcp_unauthorized');
    case 'notSpoken':
      return text('settings.mcp_notSpoken', { status: fault.status });
    case 'timedOut':
      return text('settings.mcp_timedOut', { seconds: fault.seconds });
  }
}

export function stateWords(text: Text, { state, signIn, signedIn }: McpServerStatus): string {
  const wantsSignIn = signIn.type !== 'notAsked';
  if (state.type === 'ready')
    return text(wantsSignIn ? 'settings.mcp_readyWantsSignIn' : 'settings.mcp_ready');
  if (state.type !== 'failed') return text(`settings.mcp_${state.type}`);
  if (state.fault.type === 'unauthorized' && wantsSignIn)
    return text(signedIn ? 'settings.mcp_signInRefused' : 'settings.mcp_wantsSignIn');
  return mcpFaultWords(text, state.fault);
}
