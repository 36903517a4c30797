/**
 * An approval request as a screen reader speaks it when it appears: the tool and what exactly it would do.
 * Invisible characters are spoken as their codes, as the page shows them. The page has all of a text that is
 * cut here.
 */
import type { Translate } from '../../i18n';
import type { ApprovalPreview, ApprovalRequest } from '../../ipc/bindings';
import { splitInvisible } from '../../kit/text/invisibleChars';

/** Characters of an argument, a command or a change that are spoken. */
const maxSpokenChars = 1_000;

export function approvalSpeech(text: Translate, { preview, ...request }: ApprovalRequest): string {
  const tool = escaped(text, request.tool);
  const lines = [text('tools.asks', { tool })];
  if (preview) lines.push(...previewLines(text, preview));
  lines.push(text('tools.waits', { tool }));
  return lines.join('\n');
}

function escaped(text: Translate, words: string): string {
  const pieces = splitInvisible(words).map((piece) => {
    if ('words' in piece) return piece.words;
    return 'unseen' in piece
      ? piece.unseen
      : `\n${text('kit.emptyLines', { count: piece.emptyLines })}\n`;
  });
  return pieces.join('');
}

/** The mark of a cut may not be heard: a sentence follows it. */
function spokenLines(text: Translate, words: string): readonly string[] {
  // A very long text is not read to its end only to be cut.
  const read = words.slice(0, 2 * maxSpokenChars);
  const all = escaped(text, read);
  if (all.length <= maxSpokenChars && read.length === words.length) return [all];
  return [`${all.slice(0, maxSpokenChars)}…`, text('tools.restOnPage')];
}

function previewLines(text: Translate, preview: ApprovalPreview): readonly string[] {
  switch (preview.type) {
    case 'command':
      return [
        text('tools.runsIn', { folder: escaped(text, preview.folder) }),
        ...spokenLines(text, preview.line),
      ];
    case 'diff':
      return [
        text('tools.changes', { path: escaped(text, preview.path) }),
        ...spokenLines(text, preview.diff),
      ];
    case 'request':
      return [text('tools.calls'), ...spokenLines(text, preview.target)];
    case 'foreign':
      return [
        text('tools.foreign', { server: escaped(text, preview.server) }),
        ...spokenLines(text, preview.args),
      ];
    case 'repeated':
      return [text('tools.repeated', { times: preview.times }), ...spokenLines(text, preview.args)];
    case 'reminder':
      return [text('tools.reminds'), ...spokenLines(text, preview.content)];
  }
}
