/**
 * Finds words in the conversation that is shown, in what a compaction covered as well: by Rust, over
 * all of it, while only a few messages are in the page. The newest comes first, as it is nearest.
 * What stands in a version that is not shown is named as such, and gone to only when that is asked for:
 * the next message would continue there.
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
  /** How often it was asked for: each time its words are ready to be written over. */
  asked: number;
  /** Where in the message that was gone to the words stand, once they were found. */
  places: MatchPosition | null;
  /** What to mark; one function for as long as the bar is open, as is the next. */
  onSought: (words: readonly string[]) => void;
  onJump: (goal: MessageScrollTarget) => void;
  onClose: () => void;
};

export function FindBar(props: FindBarProps) {
  const { threadId, asked, onSought, onJump, onClose } = props;
  const text = useText();
  const { commands } = useBackend();
  const attempt = useReportError(useToast());
  const [query, setQuery] = useState('');
  /** Where these words led to; the same message again is a new object. */
  const [goal, setGoal] = useState<FindTarget | null>(null);
  const sought = useDebounced(useComposedText(query).trim(), 150);
  const { found, isAnswer, more } = useFindInThread(threadId, sought);
  const box = useFocusWhileOpen<HTMLInputElement>();
  const count = found?.length ?? 0;
  const at = Math.max(0, found?.indexOf(goal?.message ?? -1) ?? 0);
  const lead = (message: MessageId | undefined, place: number) => {
    setGoal({ message, at: place, words: [sought] });
  };
  // Only what the person does leads somewhere: new words, once they are found, and a step.
  if (goal === null && found && isAnswer && sought === query.trim()) lead(found[0], -1);
  const here = goal?.message;
  const places = props.places?.messageId === here ? props.places : null;

  useEffect(() => {
    box.current?.focus();
    box.current?.select();
  }, [asked, box]);
  useEffect(() => {
    onSought(sought === '' ? [] : [sought]);
  }, [sought, onSought]);
  const isShown = useIsOnShownBranch(threadId, here);
  useEffect(() => {
    if (goal?.message === undefined || !isShown) return;
    const { message, at: place, words } = goal;
    onJump({ messageId: message, sought: { words, at: place } });
  }, [goal, isShown, onJump]);

  /** To the next place: upwards, as the newest comes first, and out of the message where it has no more. */
  const step = (by: number) => {
    const next = (places?.at ?? 0) - by;
    if (places && next >= 0 && next < places.count) lead(here, next);
    else lead(found?.[(at + by + count) % count], by > 0 ? -1 : 0);
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
          setGoal(null);
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
        {places &&
          places.count > 1 &&
          ` · ${text('finding.within', { at: fromTop(places.count - places.at - 1, places.count), count: places.count })}`}
        {isShown === false && ` · ${text('finding.elsewhere')}`}
      </span>
      {here !== undefined && isShown === false && (
        <Button
          kind="quiet"
          onClick={() => {
            attempt(commands.revealMessage(here));
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
 * The messages of a thread that hold these very words, the newest first; undefined: not asked. Until
 * there is an answer, those of the words before.
 */
function useFindInThread(threadId: ThreadId, sought: string) {
  const { commands } = useBackend();
  const { data, isPlaceholderData } = useQuery({
    queryKey: [...queryKeys.thread(threadId), 'find', sought],
    // Between quotes words stay together.
    queryFn: () => commands.search(`"${sought.replaceAll('"', ' ')}"`, threadId),
    enabled: sought !== '',
    placeholderData: (previous) => previous,
    ...optional,
  });
  const hits = sought === '' ? undefined : data;
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
