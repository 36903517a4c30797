/**
 * The conversation: virtual, so that ten thousand messages open as fast as ten; at its end while the
 * person is there.
 */
import { useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from 'react';
import { useText } from '../i18n';
import type { Message, ProviderId, SessionId, ThreadId, TranscriptItem } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { usePinnedRows } from '../kit/lists/pinnedRows';
import { Spinner } from '../kit/display/Spinner';
import {
  BlockVirtualizerContext,
  useBlockVirtualizer,
} from '../markdown/render/blockVirtualization';
import { toAppError } from '../state/text/errorText';
import { useTranscript } from '../state/queries/transcriptQuery';
import { useAnnounceReplies } from './status/useAnnounceTranscript';
import { continuesToolChain } from './rows/toolChain';
import { filesContaining, DisclosureState, disclosuresContaining } from './state/disclosureState';
import { pinnedMessageIndexes } from './scroll/pinnedMessages';
import { useHighlights } from './scroll/highlights';
import { TranscriptRow } from './rows/TranscriptRow';
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
import { TurnStatus } from './status/TurnStatus';
import { PartialLoadError } from './status/PartialLoadError';
import { LoadError } from './status/LoadError';
import { useEditingMessage } from './edit/editDrafts';
import './Transcript.css';

export type TranscriptHandle = {
  /** Opens the person's last message for editing; false where there is none. */
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
  /** Gone to; null: its end. The same message again is a new object. */
  spot: MessageScrollTarget | null;
  /** Marked wherever they stand; the same for as long as the same are. */
  sought: readonly string[];
  /** Where in the message that was gone to its words were found. */
  onPlaces: (places: MatchPosition) => void;
  /** Where it is read; null: at its end, which is followed. */
  onReading: (goal: MessageScrollTarget | null) => void;
  onCompare: (item: TranscriptItem) => void;
  onEstimate: () => void;
  onProvider: (provider: ProviderId) => void;
  card: (message: Message) => ReactNode;
  onEnd: () => void;
  /** Shown before the first message. */
  whenEmpty: ReactNode;
};

export function Transcript({
  ref,
  sessionId,
  threadId,
  readOnly,
  spot,
  sought,
  onPlaces,
  onReading,
  onCompare,
  onEstimate,
  onProvider,
  card,
  onEnd,
  whenEmpty,
}: TranscriptProps) {
  const text = useText();
  const { editing, isBack, setEditing } = useEditingMessage(sessionId, threadId);
  const { pages, items, toTheEnd, astray } = useTranscriptItems(sessionId, threadId, spot);
  const list = useRef<HTMLDivElement>(null);
  const held = usePinnedRows(list, 'message');
  const { rows, scroller, isAtEnd, toRow, toEnd, toPage, ...hears } = useRows({
    items,
    toTheEnd,
    pages,
    spot,
    kept: pinnedMessageIndexes(held, editing, items),
    onReading,
    onEnd,
  });
  // What is come back to is not what was asked for.
  const marked = spot?.top === undefined ? spot?.messageId : undefined;
  // What stands beside the conversation, a summary or a card, takes nothing from its last message.
  const end = toTheEnd ? items.findLastIndex(({ message }) => message.kind.type === 'chat') : -1;
  const lastSaid = useEditLast({ items, toTheEnd, pages, spot, onEdit: setEditing, toRow, onEnd });
  const reach = useBlockVirtualizer(scroller);
  const [folds] = useState(() => new DisclosureState());
  useHighlights(list, sought);
  useScrollToMatch({
    list,
    scroller,
    reach,
    spot,
    marked: sought.length > 0,
    onRow: () => {
      rows.cancelScroll();
    },
    unfold: (words) => {
      const message = items.find((item) => item.message.id === spot?.messageId)?.message;
      if (!message) return [];
      for (const line of disclosuresContaining(message, words)) folds.set(line, true);
      return filesContaining(message, words);
    },
    onPlaces,
  });
  useAnnounceReplies(sessionId, threadId);

  useImperativeHandle(ref, () => ({
    editLast: () => !readOnly && lastSaid.edit(),
    toEnd: () => {
      lastSaid.leave();
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
        // Where nothing in it can be focused, the arrows still scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        {...hears}
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
        <BlockVirtualizerContext value={reach}>
          <TranscriptContext folds={folds}>
            <div ref={list} className="Transcript-rows" style={{ height: rows.getTotalSize() }}>
              {rows.getVirtualItems().map((row) => {
                const item = items[row.index];
                return (
                  item && (
                    <div
                      key={row.key}
                      ref={rows.measureElement}
                      data-index={row.index}
                      data-message={item.message.id}
                      data-chained={continuesToolChain(item, items[row.index + 1]) || undefined}
                      data-spot={item.message.id === marked || undefined}
                      className="Transcript-row"
                      // Not by a transform: WebKitGTK leaves what sticks in a row where that was before.
                      style={{ top: row.start }}
                    >
                      <TranscriptRow
                        item={item}
                        sessionId={sessionId}
                        readOnly={readOnly}
                        last={row.index === end}
                        editing={item.message.id === editing}
                        isBack={isBack}
                        onEditing={setEditing}
                        onCompare={onCompare}
                        onProvider={onProvider}
                        card={card}
                      />
                    </div>
                  )
                );
              })}
            </div>
          </TranscriptContext>
        </BlockVirtualizerContext>
      </div>
      <div className="Transcript-below">
        <PartialLoadError {...{ threadId, pages }} above={false} />
        {!isAtEnd && items.length > 0 && (
          <Button icon="chevron-down" onClick={onEnd}>
            {text('finding.toEnd')}
          </Button>
        )}
        <TurnStatus {...{ sessionId, readOnly, onEstimate, onProvider }} />
      </div>
    </div>
  );
}

/** The pages around what is looked at. A message that is not among them opens others around it. */
function useTranscriptItems(
  sessionId: SessionId,
  threadId: ThreadId,
  spot: TranscriptProps['spot'],
) {
  const wanted = spot?.messageId ?? null;
  const [anchor, setAnchor] = useState(wanted);
  const [seen, setSeen] = useState(spot);
  const pages = useTranscript(threadId, anchor);
  const stored = useMemo(() => pages.data?.pages.flatMap((page) => page.items), [pages.data]);
  const after = pages.data?.pages.at(-1)?.after ?? 0;
  const { items, toTheEnd } = useMergedItems(sessionId, threadId, stored, after);
  if (seen !== spot) {
    setSeen(spot);
    const isLoaded = items.some(({ message }) => message.id === wanted);
    if (wanted === null || !isLoaded) setAnchor(wanted);
  }
  return { pages, items, toTheEnd: toTheEnd && !pages.isPlaceholderData, astray: anchor !== null };
}
