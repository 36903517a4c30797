/**
 * Texts about MCP servers in the user's language: unusable parts of a configuration, and the errors of a
 * server. A kind without a text does not compile.
 */
import type { Translate } from '../../i18n';
import type { ConfigProblem, McpServerError, McpServerStatus } from '../../ipc/bindings';
import { escapeInvisible } from '../../kit/text/invisibleChars';

export function configProblemText(text: Translate, problem: ConfigProblem): string {
  switch (problem.type) {
    case 'notJson':
      return text('mcp.notJson', {
        line: problem.line,
        column: problem.column,
        detail: problem.detail,
      });
    case 'noServers':
      return text('mcp.noServers');
    case 'nothingToStart':
      return text('mcp.nothingToStart', { server: problem.server });
    case 'wrongType':
      return text('mcp.wrongType', { server: problem.server, key: problem.key });
    case 'wrongName':
      return text('mcp.wrongName', { server: problem.server, name: escapeInvisible(problem.name) });
  }
}

/** The display name of a value, without the part of its id that tells where it is stored. */
export function mcpValueLabel(server: string, name: string): string {
  const own = `mcp.${server}.`;
  return name.startsWith(own) ? name.slice(own.length) : name.replace(/^input:/u, '');
}

function mcpErrorText(text: Translate, server: string, fault: McpServerError): string {
  switch (fault.type) {
    case 'programMissing':
      return text('mcp.programMissing', { program: fault.program });
    case 'valueMissing':
      return text('mcp.valueMissing', { name: mcpValueLabel(server, fault.name) });
    case 'invalid':
    case 'unreachable':
    case 'notRenewed':
    case 'protocol':
      return text(`mcp.${fault.type}`, { detail: fault.detail });
    case 'ended':
      return text('mcp.ended', {
        code: fault.code === null ? '–' : String(fault.code),
        detail: fault.detail,
      });
    case 'unauthorized':
      return text('mcp.unauthorized');
    case 'notSpoken':
      return text('mcp.notSpoken', { status: fault.status });
    case 'timedOut':
      return text('mcp.timedOut', { seconds: fault.seconds });
  }
}

export function mcpStateText(text: Translate, server: McpServerStatus): string {
  const { name, state, signIn, signedIn } = server;
  const wantsSignIn = signIn.type !== 'notAsked';
  if (state.type === 'ready') return text(wantsSignIn ? 'mcp.readyWantsSignIn' : 'mcp.ready');
  if (state.type !== 'failed') return text(`mcp.${state.type}`);
  if (state.fault.type === 'unauthorized' && wantsSignIn)
    return text(signedIn ? 'mcp.signInRefused' : 'mcp.wantsSignIn');
  return mcpErrorText(text, name, state.fault);
}
