/**
 * Messages of a thread as a list, however many there are: what they say is read where it is looked at.
 */
import { useQuery } from '@tanstack/react-query';
import { useText, type Text } from '../i18n';
import { useBackend } from '../ipc';
import type { Extent, MessageLine, MessagePlace, ThreadId } from '../ipc/bindings';
import { LongList } from '../kit/LongList';
import { asFault } from '../state/actions';
import { startOf } from '../state/excerpt';
import { faultWords } from '../state/faults';
import { noticeWords } from '../state/notices';
import { beside, keys } from '../state/reading';
import { speaker } from '../state/speaker';
import './Compaction.css';

/** So many neighbours are read together. */
const together = 40;

/** How a message begins, in letters. */
const beginning = 100;

type MessageLinesProps = {
  /** The accessible name of the list. */
  label: string;
  threadId: ThreadId;
  places: readonly MessagePlace[];
  /** All that they say, or how they begin. */
  words: Extent;
};

export function MessageLines({ label, threadId, places, words }: MessageLinesProps) {
  return (
    <LongList label={label} rows={places} height={words === 'all' ? paragraph : line}>
      {({ number }, at) => <Line {...{ threadId, places, at, number, words }} />}
    </LongList>
  );
}

const paragraph = () => 100;
const line = () => 32;

type LineProps = Omit<MessageLinesProps, 'label'> & { at: number; number: number };

function Line({ threadId, places, at, number, words }: LineProps) {
  const text = useText();
  const { commands } = useBackend();
  const from = at - (at % together);
  const ids = places.slice(from, from + together).map(({ messageId }) => messageId);
  const { data, error } = useQuery({
    queryKey: [...keys.thread(threadId), 'lines', words, ids],
    queryFn: () => commands.messageLines(ids, words),
    gcTime: 10_000,
    // The lines around it can be read all the same.
    ...beside,
  });
  const message = data?.find(({ messageId }) => messageId === places[at]?.messageId);
  return (
    <div className="MessageLine" data-words={words}>
      <small>
        {number}
        {message && ` · ${speaker(text, message)}`}
        {message && message.inclusion !== 'usual' && (
          <> · {text(`compaction.${message.inclusion}`)}</>
        )}
      </small>
      <p dir="auto">
        {message
          ? said(text, message, words)
          : error
            ? faultWords(text, asFault(error))
            : // One that was deleted since.
              text(data ? 'compaction.wordless' : 'kit.loading')}
      </p>
    </div>
  );
}

/** A notice says it to the person in another way than to the model. */
function said(text: Text, { kind, words }: MessageLine, wanted: Extent) {
  const all = kind.type === 'notice' ? noticeWords(text, kind.notice) : words;
  if (all === '') return text('compaction.wordless');
  return wanted === 'all' ? all : startOf(all, beginning);
}
