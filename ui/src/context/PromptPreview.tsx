/**
 * The exact next request, line by line.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Translate } from '../i18n';
import { useBackend } from '../ipc';
import type { Draft, SectionKind, PreviewPart, SessionId, PreviewEntry } from '../ipc/bindings';
import { CopyButton } from '../kit/notifications/CopyButton';
import { VirtualList } from '../kit/lists/VirtualList';
import { charsPerLine } from '../kit/lists/overscan';
import { splitLongText } from '../kit/text/splitLongText';
import { queryKeys } from '../state/queries/queries';

type PromptPreviewProps = { sessionId: SessionId; draft: Draft };

export function PromptPreview({ sessionId, draft }: PromptPreviewProps) {
  const text = useText();
  const formats = useFormats();
  const { commands, desktop } = useBackend();
  const { data: seen } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'seen', draft],
    queryFn: () => commands.seenByModel(sessionId, draft),
    // The preview of each draft has the size of the whole context: it is not cached.
    gcTime: 10_000,
  });
  if (!seen) return <p>{text('kit.loading')}</p>;
  const whole = () =>
    seen.lines.map((line) => `[${lineTitle(text, line)}]\n${lineText(line)}`).join('\n\n');
  return (
    <>
      <p className="ContextDialog-note">
        {text('seen.total', { tokens: formats.exact(seen.total.tokens) })}
        {seen.leftOut > 0 && <> · {text('seen.leftOut', { count: seen.leftOut })}</>}
      </p>
      <CopyButton worded label={text('kit.copy')} copy={() => desktop.copyText(whole())} />
      <VirtualList label={text('context.seen')} rows={seen.lines} height={estimateLineHeight}>
        {(line) => (
          <div className="Seen">
            <h4>
              {lineTitle(text, line)} <small>{formats.exact(line.tokens)}</small>
            </h4>
            {splitLongText(lineText(line)).map((portion, at) => (
              <pre key={at}>{portion}</pre>
            ))}
          </div>
        )}
      </VirtualList>
    </>
  );
}

function sectionName(text: Translate, section: SectionKind): string {
  switch (section.type) {
    case 'memory':
      return text('seen.memory', { path: section.path });
    case 'server':
      return text('seen.server', { name: section.name });
    case 'system':
    case 'standing':
    case 'instructions':
      return text(`seen.${section.type}`);
  }
}

function lineTitle(text: Translate, { label, role }: PreviewEntry): string {
  switch (label.type) {
    case 'tool':
      return text('seen.tool', { name: label.name });
    case 'section':
      return sectionName(text, label.section);
    case 'opening':
    case 'summary':
    case 'anchors':
    case 'recall':
    case 'pinned':
    case 'message':
    case 'passages':
    case 'reminder':
    case 'draft':
    case 'goOn': {
      const what = text(`seen.${label.type}`);
      return role === null ? what : [what, text(`seen.as_${role}`)].join(' · ');
    }
  }
}

const lineText = ({ parts }: PreviewEntry) => parts.map(partText).join('\n');

/** The estimated height of a text; a line is 20 px high. */
function estimateLineHeight(line: PreviewEntry): number {
  const said = lineText(line);
  const lines = said.split('\n').length + Math.floor(said.length / charsPerLine(said));
  return 48 + lines * 20;
}

function partText(part: PreviewPart): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'picture':
      return part.name;
    case 'call':
      return [`${part.name} ${part.args}`, `→ ${part.result}`, ...part.pictures].join('\n');
  }
}
