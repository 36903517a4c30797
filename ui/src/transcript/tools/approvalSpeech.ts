/**
 * An approval request as a screen reader speaks it when it appears: the tool and what exactly it would do.
 * The question on the page has all of a text that is cut here.
 */
import type { Translate } from '../../i18n';
import type { ApprovalPreview, ApprovalRequest } from '../../ipc/bindings';

/** Characters of an argument, a command or a change that are spoken. */
const maxSpokenChars = 1_000;

export function approvalSpeech(text: Translate, { tool, preview }: ApprovalRequest): string {
  const lines = [text('tools.asks', { tool })];
  if (preview) lines.push(...previewLines(text, preview));
  lines.push(text('tools.waits', { tool }));
  return lines.join('\n');
}

const cut = (words: string) =>
  words.length > maxSpokenChars ? `${words.slice(0, maxSpokenChars)}…` : words;

function previewLines(text: Translate, preview: ApprovalPreview): readonly string[] {
  switch (preview.type) {
    case 'command':
      return [text('tools.runsIn', { folder: preview.folder }), cut(preview.line)];
    case 'diff':
      return [text('tools.changes', { path: preview.path }), cut(preview.diff)];
    case 'request':
      return [text('tools.calls'), cut(preview.target)];
    case 'foreign':
      return [text('tools.foreign', { server: preview.server }), cut(preview.args)];
    case 'repeated':
      return [text('tools.repeated', { times: preview.times }), cut(preview.args)];
    case 'reminder':
      return [text('tools.reminds'), cut(preview.content)];
  }
}
