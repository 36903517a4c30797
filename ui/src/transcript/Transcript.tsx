/**
 * The messages of a thread as a virtual list: ten thousand open as fast as ten. It follows the end of the
 * thread while the user is there.
 */
import { useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { useText } from '../i18n';
import type { Breakdown, ProviderId, SessionId, ThreadId, TranscriptItem } from '../ipc/bindings';
import { usePinnedRows } from '../kit/lists/pinnedRows';
import { Spinner } from '../kit/display/Spinner';
import {
  BlockVirtualizerContext,
  useBlockVirtualizer,
} from '../markdown/render/blockVirtualization';
import { toAppError } from '../state/text/errorText';
import { useTranscript } from '../state/queries/transcriptQuery';
import { filesContaining, DisclosureState, disclosuresContaining } from './state/disclosureState';
import { pinnedMessageIndexes } from './scroll/pinnedMessages';
import { useHighlights } from './scroll/highlights';
import { TranscriptFooter } from './TranscriptFooter';
import { TranscriptRows } from './rows/TranscriptRows';
import { useMergedItems } from './rows/mergeLive';
import { useEditLast } from './edit/editLast';
import { useRows } from './scroll/useRows';
import {
  useScrollToMatch,
  type MessageScrollTarget,
  type MatchPosition,
} from './scroll/scrollToMatch';
import { ReplyShortcuts } from './message/ReplyShortcuts';
import { TranscriptContext } from './TranscriptContext';
import { PartialLoadError } from './status/PartialLoadError';
import { LoadError } from './status/LoadError';
import { useEditingMessage } from './edit/editDrafts';
import './Transcript.css';

export type TranscriptHandle = {
  /** Opens the user's last message for editing; false: there is none. */
  editLast: () => boolean;
  toEnd: () => void;
  /** Scrolls by a page, down or up. */
  toPage: (by: 1 | -1) => void;
};

type TranscriptProps = {
  ref: Ref<TranscriptHandle>;
  sessionId: SessionId;
  threadId: ThreadId;
  /** An archived thread is read-only. */
  readOnly: boolean;
  /** The session is written in another window. */
  isElsewhere: boolean;
  /** The message to scroll to; null: the end. The same message again is a new object. */
  scrollTarget: MessageScrollTarget | null;
  /** The words to highlight everywhere. The same array for as long as the words are the same. */
  highlighted: readonly string[];
  /** Tells which match in the target message is shown. */
  onMatchPosition: (position: MatchPosition) => void;
  /** Tells where the user reads; null: at the end, which is followed. */
  onReadingPosition: (position: MessageScrollTarget | null) => void;
  onCompare: (item: TranscriptItem) => void;
  onEstimate: () => void;
  onProvider: (provider: ProviderId) => void;
  renderContextCard: (breakdown: Breakdown) => ReactNode;
  onEnd: () => void;
  /** Shown before the first message. */
  whenEmpty: ReactNode;
};

export function Transcript({
  ref,
  sessionId,
  threadId,
  readOnly: isArchived,
  isElsewhere,
  scrollTarget,
  highlighted,
  onMatchPosition,
  onReadingPosition,
  onCompare,
  onEstimate,
  onProvider,
  renderContextCard,
  onEnd,
  whenEmpty,
}: TranscriptProps) {
  const text = useText();
  const { editing, isRestored, setEditing } = useEditingMessage(sessionId, threadId, isElsewhere);
  const readOnly = isArchived || isElsewhere;
  const { pages, items, toTheEnd, astray } = useTranscriptItems(sessionId, threadId, scrollTarget);
  const list = useRef<HTMLDivElement>(null);
  const { rows, scroller, isAtEnd, toRow, toEnd, toPage, ...scrollHandlers } = useRows({
    items,
    toTheEnd,
    pages,
    scrollTarget,
    pinnedIndexes: pinnedMessageIndexes(usePinnedRows(list, 'message'), editing, items),
    onReadingPosition,
    onEnd,
  });
  // A position that the user comes back to is not tinted.
  const targetMessage = scrollTarget?.top === undefined ? scrollTarget?.messageId : undefined;
  // A summary or a card after the last message does not take its place.
  const lastIndex = toTheEnd
    ? items.findLastIndex(({ message }) => message.kind.type === 'chat')
    : -1;
  const editLast = useEditLast({
    items,
    toTheEnd,
    pages,
    scrollTarget,
    onEdit: setEditing,
    toRow,
    onEnd,
  });
  const virtualizer = useBlockVirtualizer(scroller);
  const [disclosures] = useState(() => new DisclosureState());
  useHighlights(list, highlighted);
  useScrollToMatch({
    list,
    scroller,
    virtualizer,
    scrollTarget,
    isHighlighted: highlighted.length > 0,
    onRow: () => {
      rows.cancelScroll();
    },
    expand: (words) => {
      const message = items.find((item) => item.message.id === scrollTarget?.messageId)?.message;
      if (!message) return [];
      for (const line of disclosuresContaining(message, words)) disclosures.set(line, true);
      return filesContaining(message, words);
    },
    onMatchPosition,
  });

  useImperativeHandle(ref, () => ({
    editLast: () => !readOnly && editLast.edit(),
    toEnd: () => {
      editLast.cancel();
      toEnd();
    },
    toPage,
  }));

  return (
    <div className="Transcript">
      <ReplyShortcuts {...{ sessionId, threadId, readOnly }} />
      <PartialLoadError {...{ threadId, pages }} above />
      <div
        ref={scroller}
        className="Transcript-scroll"
        role="log"
        aria-label={text('transcript.conversation')}
        aria-live="off"
        // Focusable, so that the arrow keys scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...scrollHandlers}
      >
        {pages.isPending && <Spinner>{text('transcript.loading')}</Spinner>}
        {pages.isLoadingError && (
          <LoadError
            fault={toAppError(pages.error)}
            astray={astray}
            onAgain={() => void pages.refetch()}
            onEnd={onEnd}
          />
        )}
        {pages.isSuccess && items.length === 0 && whenEmpty}
        <BlockVirtualizerContext value={virtualizer}>
          <TranscriptContext disclosures={disclosures}>
            <TranscriptRows
              ref={list}
              {...{ rows, items, editing, isRestored, sessionId, readOnly }}
              {...{ onCompare, onProvider, renderContextCard }}
              targetMessage={targetMessage}
              lastIndex={lastIndex}
              onEditing={setEditing}
            />
          </TranscriptContext>
        </BlockVirtualizerContext>
      </div>
      <TranscriptFooter
        {...{ sessionId, threadId, pages, onEstimate, onProvider, onEnd }}
        readOnly={isArchived}
        hasMoreBelow={!isAtEnd && items.length > 0}
      />
    </div>
  );
}

/** The loaded pages. A scroll target outside them loads the pages around it. */
function useTranscriptItems(
  sessionId: SessionId,
  threadId: ThreadId,
  scrollTarget: TranscriptProps['scrollTarget'],
) {
  const wanted = scrollTarget?.messageId ?? null;
  const [anchor, setAnchor] = useState(wanted);
  const [seen, setSeen] = useState(scrollTarget);
  const pages = useTranscript(threadId, anchor);
  const stored = useMemo(() => pages.data?.pages.flatMap((page) => page.items), [pages.data]);
  const after = pages.data?.pages.at(-1)?.after ?? 0;
  const { items, toTheEnd } = useMergedItems(sessionId, threadId, stored, after);
  if (seen !== scrollTarget) {
    setSeen(scrollTarget);
    const isLoaded = items.some(({ message }) => message.id === wanted);
    if (wanted === null || !isLoaded) setAnchor(wanted);
  }
  return { pages, items, toTheEnd: toTheEnd && !pages.isPlaceholderData, astray: anchor !== null };
}
