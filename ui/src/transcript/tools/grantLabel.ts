/**
 * What a lasting yes to a call would cover, in words: Rust names it for machines.
 */
import type { Translate } from '../../i18n';
import type { ApprovalRequest } from '../../ipc/bindings';

/** What a tool is called, without the mark of what it was when it was allowed. */
const toolNameOf = (marked: string) =>
  marked
    .replace(/#[0-9a-f]{8,}$/u, '')
    .replaceAll('%23', '#')
    .replaceAll('%25', '%');

/** null: every call of the tool, as its name says. */
export function grantLabel(
  text: Translate,
  { tool, grant, preview }: ApprovalRequest,
): string | null {
  if (grant === tool) return null;
  const narrowed = grant.startsWith(`${tool} `) ? grant.slice(tool.length + 1) : '';
  if (preview?.type === 'foreign') {
    // The stroke after the server's name: one that is in it is written otherwise.
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
