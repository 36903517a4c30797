/**
 * A virtual list of a thread's messages. Their text is loaded for the visible rows.
 */
import { useQuery } from '@tanstack/react-query';
import { useText, type Translate } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ExcerptLength, MessageLine, MessagePosition, ThreadId } from '../../ipc/bindings';
import { VirtualList } from '../../kit/lists/VirtualList';
import { excerpt } from '../../state/text/excerpt';
import { errorText, toAppError } from '../../state/text/errorText';
import { noticeText } from '../../state/text/noticeText';
import { optional, queryKeys } from '../../state/queries/queries';
import { authorLabel } from '../../state/text/authorLabel';
import './compaction.css';

/** Neighbouring messages that are loaded together. */
const batchSize = 40;

/** The length of an excerpt, in characters. */
const excerptChars = 100;

type MessageExcerptsProps = {
  /** The accessible name of the list. */
  label: string;
  threadId: ThreadId;
  places: readonly MessagePosition[];
  /** The whole text instead of an excerpt. */
  words: ExcerptLength;
};

export function MessageExcerpts({ label, threadId, places, words }: MessageExcerptsProps) {
  return (
    <VirtualList
      label={label}
      rows={places}
      height={words === 'all' ? fullTextHeight : excerptHeight}
    >
      {({ number }, at) => <MessageExcerpt {...{ threadId, places, at, number, words }} />}
    </VirtualList>
  );
}

const fullTextHeight = () => 100;
const excerptHeight = () => 32;

type MessageExcerptProps = Omit<MessageExcerptsProps, 'label'> & { at: number; number: number };

function MessageExcerpt({ threadId, places, at, number, words }: MessageExcerptProps) {
  const text = useText();
  const { commands } = useBackend();
  const from = at - (at % batchSize);
  const ids = places.slice(from, from + batchSize).map(({ messageId }) => messageId);
  const { data, error } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'lines', words, ids],
    queryFn: () => commands.messageLines(ids, words),
    gcTime: 10_000,
    // An error leaves the other rows readable.
    ...optional,
  });
  const message = data?.find(({ messageId }) => messageId === places[at]?.messageId);
  return (
    <div className="MessageLine" data-words={words}>
      <small>
        {number}
        {message && ` · ${authorLabel(text, message)}`}
        {message && message.inclusion !== 'usual' && (
          <> · {text(`compaction.${message.inclusion}`)}</>
        )}
      </small>
      <p dir="auto">
        {message
          ? excerptText(text, message, words)
          : error
            ? errorText(text, toAppError(error))
            : // One that was deleted since.
              text(data ? 'compaction.wordless' : 'kit.loading')}
      </p>
    </div>
  );
}

/** A notice has another text for the user than for the model. */
function excerptText(text: Translate, { kind, words }: MessageLine, wanted: ExcerptLength) {
  const all = kind.type === 'notice' ? noticeText(text, kind.notice) : words;
  if (all === '') return text('compaction.wordless');
  return wanted === 'all' ? all : excerpt(all, excerptChars);
}
