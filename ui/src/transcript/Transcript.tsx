/**
 * The conversation: virtual, so that ten thousand messages open as fast as ten; at its end while the
 * person is there.
 */
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, type ReactNode } from 'react';
import { useText } from '../i18n';
import type { Message, MessageId, SessionId, ThreadId, TranscriptItem } from '../ipc/bindings';
import { Spinner } from '../kit/Spinner';
import { useTranscript } from '../state/transcript';
import { turns, useTurn } from '../state/turn';
import { Item } from './Item';
import { TurnNotes } from './TurnNotes';
import './Transcript.css';

type TranscriptProps = {
  sessionId: SessionId;
  threadId: ThreadId;
  /** An archived thread is read-only. */
  readOnly: boolean;
  /** Opened here instead of at its end. */
  around: MessageId | null;
  onCompare: (item: TranscriptItem) => void;
  onEstimate: () => void;
  card: (message: Message) => ReactNode;
  /** Shown before the first message. */
  whenEmpty: ReactNode;
};

const atTheEnd = 48;

export function Transcript(props: TranscriptProps) {
  const { sessionId, threadId, around } = props;
  const text = useText();
  const pages = useTranscript(threadId, around);
  const items = useLiveItems(
    sessionId,
    threadId,
    pages.data?.pages.flatMap((page) => page.items),
  );
  const scroller = useRef<HTMLDivElement>(null);
  const following = useRef(around === null);
  // The compiler leaves this component alone, which is what it is to do here.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: (index) => items[index]?.message.id ?? index,
    estimateSize: (index) => estimate(items[index]),
    overscan: 6,
  });

  const size = rows.getTotalSize();
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element && following.current) element.scrollTop = element.scrollHeight;
  }, [size, items.length]);
  useLayoutEffect(() => {
    const at = items.findIndex(({ message }) => message.id === around);
    if (around !== null && at >= 0) rows.scrollToIndex(at, { align: 'center' });
    // Only when another message is searched for: afterwards the person scrolls.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [around, pages.isSuccess]);

  const first = rows.getVirtualItems()[0]?.index ?? 0;
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  const { hasPreviousPage, fetchPreviousPage, hasNextPage, fetchNextPage, isFetching } = pages;
  useEffect(() => {
    if (isFetching) return;
    if (first < 8 && hasPreviousPage) void fetchPreviousPage();
    if (last > items.length - 8 && hasNextPage) void fetchNextPage();
  }, [
    first,
    last,
    items.length,
    isFetching,
    hasPreviousPage,
    hasNextPage,
    fetchPreviousPage,
    fetchNextPage,
  ]);

  return (
    <div
      ref={scroller}
      className="Transcript"
      role="log"
      aria-label={text('transcript.conversation')}
      aria-live="off"
      tabIndex={-1}
      onScroll={({ currentTarget }) => {
        const { scrollHeight, scrollTop, clientHeight } = currentTarget;
        following.current = scrollHeight - scrollTop - clientHeight < atTheEnd;
      }}
    >
      {pages.isPending && <Spinner>{text('transcript.loading')}</Spinner>}
      {pages.isSuccess && items.length === 0 && props.whenEmpty}
      <div className="Transcript-rows" style={{ height: size }}>
        {rows.getVirtualItems().map((row) => {
          const item = items[row.index];
          return (
            item && (
              <div
                key={row.key}
                ref={rows.measureElement}
                data-index={row.index}
                className="Transcript-row"
                style={{ transform: `translateY(${row.start}px)` }}
              >
                <Item {...props} item={item} last={row.index === items.length - 1} />
              </div>
            )
          );
        })}
      </div>
      <TurnNotes sessionId={sessionId} onEstimate={props.onEstimate} />
    </div>
  );
}

/** Rough height from the text, wider for Chinese; measured once it is seen. */
function estimate(item: TranscriptItem | undefined): number {
  const part = item?.message.parts.find(({ type }) => type === 'text');
  const length = part?.type === 'text' ? part.text.length : 0;
  return 56 + Math.ceil(length / 80) * 21;
}

/** The stored messages, and those of the running turn that are newer than what was read. */
function useLiveItems(
  sessionId: SessionId,
  threadId: ThreadId,
  stored: readonly TranscriptItem[] | undefined,
): readonly TranscriptItem[] {
  const live = useTurn(sessionId, (state) => state.live);
  const running = useTurn(sessionId, (state) => state.running);
  const items = useMemo(() => {
    if (!stored) return [];
    const fresh = live.filter((message) => message.threadId === threadId);
    const byId = new Map(fresh.map((message) => [message.id, message]));
    const known = stored.map((item) => {
      const message = byId.get(item.message.id);
      byId.delete(item.message.id);
      return message ? { ...item, message } : item;
    });
    let number = known.at(-1)?.number ?? 0;
    const added = [...byId.values()].map((message): TranscriptItem => {
      number += 1;
      return { message, number, siblings: [], coveredBy: null, point: null };
    });
    return [...known, ...added];
  }, [stored, live, threadId]);

  // When every message of an ended turn is stored and read, the live ones are no longer needed.
  useEffect(() => {
    const ids = new Set(stored?.map(({ message }) => message.id));
    if (!running && live.length > 0 && live.every(({ id }) => ids.has(id))) {
      turns.settle(sessionId);
    }
  }, [running, live, stored, sessionId]);
  return items;
}
