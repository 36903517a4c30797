/**
 * Finds words in the thread that is shown, also in the messages that a compaction covers. The backend
 * searches the whole thread: the page holds only a few of its messages. The newest match comes first. A
 * match on a branch that is not shown says so, and opens only on request: the next message would continue
 * that branch.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { MessageId, ThreadId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { useComposedText } from '../../kit/layers/useComposedText';
import { useFocusWhileOpen } from '../../kit/a11y/focus';
import { IconButton } from '../../kit/controls/IconButton';
import { isComposing, isMac, useShortcut } from '../../kit/layers/shortcuts';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { optional, queryKeys } from '../../state/queries/queries';
import { useDebounced } from '../../state/hooks/useDebounced';
import { maxSearchHits } from '../../state/app/searchLimits';
import type { MessageScrollTarget, MatchPosition } from '../scroll/scrollToMatch';
import './FindBar.css';

/**
 * Where words led: a message, none where they are nowhere, and a place in it, from its end where negative.
 */
type FindTarget = { message: MessageId | undefined; at: number; words: readonly string[] };

type FindBarProps = {
  threadId: ThreadId;
  /** Changes with each shortcut: the bar selects its text again, ready to be typed over. */
  openCount: number;
  /** Where in the message that was gone to the words stand, once they were found. */
  matchPosition: MatchPosition | null;
  /** What to mark; one function for as long as the bar is open, as is the next. */
  onHighlight: (words: readonly string[]) => void;
  onJump: (goal: MessageScrollTarget) => void;
  onClose: () => void;
};

export function FindBar(props: FindBarProps) {
  const { threadId, openCount, onHighlight, onJump, onClose } = props;
  const text = useText();
  const { commands } = useBackend();
  const attempt = useReportError(useToast());
  const [query, setQuery] = useState('');
  /** Where these words led to; the same message again is a new object. */
  const [target, setTarget] = useState<FindTarget | null>(null);
  const searchText = useDebounced(useComposedText(query).trim(), 150);
  const { found, isAnswer, more } = useFindInThread(threadId, searchText);
  const box = useFocusWhileOpen<HTMLInputElement>();
  const count = found?.length ?? 0;
  const at = Math.max(0, found?.indexOf(target?.message ?? -1) ?? 0);
  const goTo = (message: MessageId | undefined, place: number) => {
    setTarget({ message, at: place, words: [searchText] });
  };
  // Only what the person does leads somewhere: new words, once they are found, and a step.
  if (target === null && found && isAnswer && searchText === query.trim()) goTo(found[0], -1);
  const messageId = target?.message;
  const position = props.matchPosition?.messageId === messageId ? props.matchPosition : null;

  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, [openCount, box]);
  useEffect(() => {
    onHighlight(searchText === '' ? [] : [searchText]);
  }, [searchText, onHighlight]);
  const isShown = useIsOnShownBranch(threadId, messageId);
  useEffect(() => {
    if (target?.message === undefined || !isShown) return;
    const { message, at: place, words } = target;
    onJump({ messageId: message, match: { words, at: place } });
  }, [target, isShown, onJump]);

  /** To the next place: upwards, as the newest comes first, and out of the message where it has no more. */
  const step = (by: number) => {
    const next = (position?.at ?? 0) - by;
    if (position && next >= 0 && next < position.count) goTo(messageId, next);
    else goTo(found?.[(at + by + count) % count], by > 0 ? -1 : 0);
  };
  useShortcut(isMac ? 'Mod+G' : 'F3', text('finding.toPrevious'), () => {
    step(1);
  });
  useShortcut('Shift+F3', text('finding.toNext'), () => {
    step(-1);
  });
  // As they stand in the conversation, from its beginning; where not all are known, from the newest.
  const fromTop = (newer: number, all: number) => (more ? newer + 1 : all - newer);
  const place = { at: fromTop(at, count), count };
  return (
    // Escape closes it wherever in it the focus is, and does nothing else.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <div
      className="FindBar"
      role="search"
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <input
        ref={box}
        type="search"
        className="Input"
        aria-label={text('finding.find')}
        placeholder={text('finding.find')}
        spellCheck={false}
        autoComplete="off"
        value={query}
        onChange={(event) => {
          setQuery(event.target.value);
          setTarget(null);
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
          event.preventDefault();
          step(event.shiftKey ? -1 : 1);
        }}
      />
      <span className="FindBar-place" role="status">
        {found &&
          (count === 0
            ? text('finding.none')
            : text(more ? 'finding.placeMany' : 'finding.place', place))}
        {position &&
          position.count > 1 &&
          ` · ${text('finding.within', { at: fromTop(position.count - position.at - 1, position.count), count: position.count })}`}
        {isShown === false && ` · ${text('finding.elsewhere')}`}
      </span>
      {messageId !== undefined && isShown === false && (
        <Button
          kind="quiet"
          onClick={() => {
            attempt(commands.revealMessage(messageId));
            box.current?.focus();
          }}
        >
          {text('finding.showVersion')}
        </Button>
      )}
      <IconButton
        label={text('finding.previous')}
        icon="chevron-up"
        keys="Enter"
        disabled={count === 0}
        onClick={() => {
          step(1);
        }}
      />
      <IconButton
        label={text('finding.next')}
        icon="chevron-down"
        keys="Shift+Enter"
        disabled={count === 0}
        onClick={() => {
          step(-1);
        }}
      />
      <IconButton label={text('kit.close')} icon="close" keys="Escape" onClick={onClose} />
    </div>
  );
}

/**
 * The messages of a thread that hold these very words, the newest first; undefined: nothing was asked. Until
 * there is an answer, those of the words before.
 */
function useFindInThread(threadId: ThreadId, searchText: string) {
  const { commands } = useBackend();
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'find', searchText],
    // Between quotes words stay together.
    queryFn: () => commands.search(`"${searchText.replaceAll('"', ' ')}"`, threadId),
    enabled: searchText !== '',
    placeholderData: (previous) => previous,
    ...optional,
  });
  const hits = searchText === '' ? undefined : data;
  const found = hits
    ?.flatMap(({ place }) => place ?? [])
    .sort((one, other) => other.messageNumber - one.messageNumber)
    .map(({ messageId }) => messageId);
  return { found, isAnswer: !isPlaceholderData, more: (hits?.length ?? 0) >= maxSearchHits };
}

/** Whether a message of the thread stands on the path that is seen, or beside it; undefined: not known. */
function useIsOnShownBranch(threadId: ThreadId, message: MessageId | undefined) {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'isShown', message],
    queryFn: async () => {
      if (message === undefined) return false;
      // Around what is not shown, the page holds what is nearest to it.
      const page = await commands.transcript(threadId, { type: 'around', messageId: message }, 1);
      return page.items.some((item) => item.message.id === message);
    },
    enabled: message !== undefined,
    ...optional,
  });
  return data;
}
