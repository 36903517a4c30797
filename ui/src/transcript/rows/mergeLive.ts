/**
 * Merges the stored messages with those of the running turn that are newer.
 */
import { useEffect, useMemo } from 'react';
import type { Message, SessionId, ThreadId, TranscriptItem } from '../../ipc/bindings';
import { turnStore, useTurn } from '../../state/turn/turnStore';

/** The stored messages without those of another branch, after a new version has begun. */
function onCurrentBranch(stored: readonly TranscriptItem[], fresh: readonly Message[]) {
  const read = new Set(stored.map(({ message }) => message.id));
  const parent = fresh.find(({ id }) => !read.has(id))?.parentId;
  const fork = stored.findIndex(({ message }) => message.id === parent);
  const live = new Set(fresh.map(({ id }) => id));
  const isBeside = ({ kind }: Message) => kind.type === 'summary' || kind.type === 'card';
  return fork < 0
    ? stored
    : stored.filter(({ message }, at) => at <= fork || live.has(message.id) || isBeside(message));
}

/** The shown messages, and whether they reach the end of the thread, where a running turn is. */
export function useMergedItems(
  sessionId: SessionId,
  threadId: ThreadId,
  stored: readonly TranscriptItem[] | undefined,
  /** The number of messages after the loaded pages. */
  after: number,
): { items: readonly TranscriptItem[]; toTheEnd: boolean } {
  const live = useTurn(sessionId, (state) => state.live);
  const running = useTurn(sessionId, (state) => state.running);
  const shown = useMemo(() => {
    if (!stored) return { items: [], toTheEnd: false };
    const fresh = live.filter((message) => message.threadId === threadId);
    const byId = new Map(fresh.map((message) => [message.id, message]));
    const known = onCurrentBranch(stored, fresh).map((item) => {
      const message = byId.get(item.message.id);
      byId.delete(item.message.id);
      return message ? { ...item, message } : item;
    });
    // A full page may end before the newest messages: if no more are missing than the turn has, those of
    // the turn are the missing ones.
    if (after > byId.size) return { items: known, toTheEnd: false };
    let number = known.at(-1)?.number ?? 0;
    const added = [...byId.values()].map((message): TranscriptItem => {
      number += 1;
      const nothing = {
        later: null,
        coveredBy: null,
        point: null,
        generation: null,
        unstored: null,
      };
      return { message, number, siblings: [], ...nothing };
    });
    return { items: [...known, ...added], toTheEnd: true };
  }, [stored, live, threadId, after]);

  // Once the newest message of an ended turn is stored and complete, its live messages are dropped: one
  // that is not stored was deleted. A message that was read while it streamed does not count.
  useEffect(() => {
    const newest = live.at(-1)?.id;
    const read = stored?.find(({ message }) => message.id === newest)?.message;
    if (!running && read !== undefined && read.state.type !== 'streaming')
      turnStore.clearLive(sessionId);
  }, [running, live, stored, sessionId]);
  return shown;
}
