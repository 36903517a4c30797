/**
 * Describes the calls that a lasting grant covers. Rust names it by a technical id.
 */
import type { Translate } from '../../i18n';
import type { ApprovalRequest } from '../../ipc/bindings';

/** The tool's name, without the fingerprint in its id. */
const toolNameOf = (marked: string) =>
  marked
    .replace(/#[0-9a-f]{8,}$/u, '')
    .replaceAll('%23', '#')
    .replaceAll('%25', '%');

/** null: every call of the tool. */
export function grantLabel(
  text: Translate,
  { tool, grant, preview }: ApprovalRequest,
): string | null {
  if (grant === tool) return null;
  const narrowed = grant.startsWith(`${tool} `) ? grant.slice(tool.length + 1) : '';
  if (preview?.type === 'foreign') {
    // The slash after the server's name; one inside the name is escaped.
    const name = toolNameOf(grant.slice(grant.indexOf('/') + 1));
    return text('tools.covers_foreign', { tool: name, server: preview.server });
  }
  if (!preview || preview.type === 'reminder' || preview.type === 'repeated' || narrowed === '')
    return text('tools.covers', { grant });
  switch (preview.type) {
    case 'command':
      return text('tools.covers_command', { folder: preview.folder });
    case 'diff': {
      const [, file] = narrowed.split('//');
      if (file !== undefined) return text('tools.covers_file', { tool, file });
      return text('tools.covers_diff', { tool, folder: narrowed });
    }
    case 'request':
      return text('tools.covers_request', { tool, host: narrowed });
  }
}
