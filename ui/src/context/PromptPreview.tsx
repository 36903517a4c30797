/**
 * A request line by line: the exact next one, or the one that a reply answered.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText, type Translate } from '../i18n';
import { useBackend } from '../ipc';
import type {
  Draft,
  MessageId,
  PreviewEntry,
  PreviewPart,
  PromptView,
  SectionKind,
  SessionId,
} from '../ipc/bindings';
import { CopyButton } from '../kit/notifications/CopyButton';
import { VirtualList } from '../kit/lists/VirtualList';
import { charsPerLine } from '../kit/lists/overscan';
import { splitLongText } from '../kit/text/splitLongText';
import { queryKeys } from '../state/queries/queries';

/** The preview of a request has the size of the whole context: it is not cached. */
const previewCacheMs = 10_000;

type PromptPreviewProps = { sessionId: SessionId; draft: Draft };

export function PromptPreview({ sessionId, draft }: PromptPreviewProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: seen } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'seen', draft],
    queryFn: () => commands.seenByModel(sessionId, draft),
    gcTime: previewCacheMs,
  });
  if (!seen) return <p>{text('kit.loading')}</p>;
  return <PromptLines seen={seen} {...captions.next} />;
}

type SentRequestProps = { sessionId: SessionId; reply: MessageId };

/** The request that a reply answered, as it is stored. */
export function SentRequest({ sessionId, reply }: SentRequestProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: seen } = useQuery({
    queryKey: [...queryKeys.context(sessionId), 'seenByReply', reply],
    queryFn: () => commands.seenByReply(reply),
    gcTime: previewCacheMs,
  });
  if (seen === undefined) return <p>{text('kit.loading')}</p>;
  if (seen === null) return <p className="ContextDialog-note">{text('seen.notStored')}</p>;
  return <PromptLines seen={seen} {...captions.sent} />;
}

const captions = {
  next: { title: 'context.seen', total: 'seen.total' },
  sent: { title: 'transcript.seenThen', total: 'seen.totalThen' },
} as const;

type PromptLinesProps = { seen: PromptView } & (typeof captions)[keyof typeof captions];

function PromptLines({ seen, title, total }: PromptLinesProps) {
  const text = useText();
  const formats = useFormats();
  const { desktop } = useBackend();
  const words = (line: PreviewEntry) =>
    lineText(line, ({ model, bytes }) =>
      text('seen.encrypted', { model, size: formats.size(bytes) }),
    );
  const whole = () =>
    seen.lines.map((line) => `[${lineTitle(text, line)}]\n${words(line)}`).join('\n\n');
  return (
    <>
      <p className="ContextDialog-note">
        {text(total, { tokens: formats.exact(seen.total.tokens) })}
        {seen.leftOut > 0 && <> · {text('seen.leftOut', { count: seen.leftOut })}</>}
        {seen.removed > 0 && <> · {text('seen.removed', { count: seen.removed })}</>}
      </p>
      <CopyButton worded label={text('kit.copy')} copy={() => desktop.copyText(whole())} />
      <VirtualList label={text(title)} rows={seen.lines} height={estimateLineHeight}>
        {(line) => (
          <div className="Seen">
            <h4>
              {lineTitle(text, line)} <small>{formats.exact(line.tokens)}</small>
            </h4>
            {splitLongText(words(line)).map((portion, at) => (
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

type EncryptedPart = Extract<PreviewPart, { type: 'encrypted' }>;

/** `encrypted` words a part that cannot be read. */
const lineText = ({ parts }: PreviewEntry, encrypted: (part: EncryptedPart) => string) =>
  parts.map((part) => (part.type === 'encrypted' ? encrypted(part) : partText(part))).join('\n');

/** The estimated height of a text; a line is 20 px high. */
function estimateLineHeight(line: PreviewEntry): number {
  const said = lineText(line, () => '');
  const lines = said.split('\n').length + Math.floor(said.length / charsPerLine(said));
  return 48 + lines * 20;
}

function partText(part: Exclude<PreviewPart, EncryptedPart>): string {
  switch (part.type) {
    case 'text':
      return part.text;
    case 'picture':
      return part.name;
    case 'call':
      return [`${part.name} ${part.args}`, `→ ${part.result}`, ...part.pictures].join('\n');
  }
}
