/**
 * What stands in the transcript: the stored messages, and those of the running turn that are newer
 * than what was read.
 */
import { useEffect, useMemo } from 'react';
import type { Message, SessionId, ThreadId, TranscriptItem } from '../../ipc/bindings';
import { turnStore, useTurn } from '../../state/turn/turnStore';

/** Of what was read, what is not on another branch since another answer or question was begun. */
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

/** What is shown, and whether it goes on to the end of the thread, where a running turn is. */
export function useMergedItems(
  sessionId: SessionId,
  threadId: ThreadId,
  stored: readonly TranscriptItem[] | undefined,
  /** So many messages of the thread come after what was read. */
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
    // What was read ends before a message that was said just now, where its page was full: as long
    // as no more are left out than were heard, those are the rest.
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

  // When the newest message of an ended turn is read as it ended, the live ones are no longer needed:
  // of the others, one that is not there was deleted. A reply that was read while it grew is not read:
  // it would be shown as it was then.
  useEffect(() => {
    const newest = live.at(-1)?.id;
    const read = stored?.find(({ message }) => message.id === newest)?.message;
    if (!running && read !== undefined && read.state.type !== 'streaming')
      turnStore.clearLive(sessionId);
  }, [running, live, stored, sessionId]);
  return shown;
}
