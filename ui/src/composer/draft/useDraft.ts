/**
 * What is written in the box, as the box uses it: kept soon (useAutosave.ts), and at once when the box
 * goes away.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react';
import { useBackend, type Backend } from '../../ipc';
import type { Draft, SessionId, SessionView, QueuedMessage } from '../../ipc/bindings';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useAutosave } from '../../state/hooks/useAutosave';
import { queryKeys } from '../../state/queries/queries';
import { emptyDraft, isEmptyDraft, mergeDrafts, DraftStore } from './draftStore';

/** How long words rest before they are counted, in ms. */
const countDelayMs = 250;

/** Changes what is written, or the message that has left the box where it goes along with that. */
export type UpdateDraft = (change: (now: Draft) => Draft, goesAlong?: boolean) => void;

export function useDraft({ session: { id }, draft: kept, waiting }: SessionView) {
  const { commands } = useBackend();
  const client = useQueryClient();
  const [written] = useState(() => draftStoreFor(client, commands, id, kept));
  const draft = useSyncExternalStore(written.watch, () => written.now);
  const leaving = useSyncExternalStore(written.watch, () => written.held);
  const underWay = useSyncExternalStore(written.watch, () => written.sending);
  const [rested, setRested] = useState(draft);
  const attempt = useReportError(useToast());
  const save = useEffectEvent(() => {
    attempt(written.save());
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(draft);
    }, countDelayMs);
    return () => {
      clearTimeout(timer);
    };
  }, [draft, written]);
  useAutosave(
    () => {
      attempt(written.save());
    },
    draft,
    leaving,
  );

  // P07: a message that could not be answered, or the words of a link. Where something else is written,
  // it stays in the list beside it.
  const forBox = waiting.find((one) => one.forBox);
  const isFree = isEmptyDraft(draft);
  useEffect(() => {
    if (forBox && isFree) written.mergeQueued(forBox).catch(() => undefined);
  }, [forBox, isFree, written]);

  useEffect(() => {
    const leave = () => {
      save();
    };
    window.addEventListener('pagehide', leave);
    return () => {
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, [written]);

  /** For what comes from elsewhere, and may come when the box has gone away. */
  const write: UpdateDraft = (change, goesAlong = false) => {
    if (goesAlong) written.updateHeld(change);
    else written.change(change);
    attempt(written.save());
  };
  /** Has something sent that is in the box no more; what could not be stored is in it again. */
  const sending = async (message: Draft, send: () => Promise<boolean>) => {
    let stored = false;
    const arrived = written.trackSending(message);
    try {
      stored = await written.clearDuring(send);
    } finally {
      arrived();
      if (stored) attempt(written.save());
      else {
        written.change((now) => mergeDrafts(message, now));
        void written.save();
      }
    }
  };
  return {
    draft,
    leaving,
    underWay,
    rested,
    setDraft: (change: (now: Draft) => Draft) => {
      written.change(change);
    },
    write,
    save: () => written.save(),
    /** A command's line is in the box again; false where something else is written there by now. */
    putBack: (line: string): boolean => {
      if (written.now.text.trim() !== '') return false;
      write((now) => ({ ...now, text: line }));
      return true;
    },
    mergeQueued: (message: QueuedMessage) => written.mergeQueued(message),
    /** Empties the box of what is sent; what could not be stored is in it again. */
    clearAndSend: (message: Draft, send: () => Promise<boolean>) => {
      written.change(() => emptyDraft);
      return sending(message, send);
    },
    /** What is written leaves the box and waits until it stays after all or is sent. */
    holdForSend: () => {
      written.holdForSend();
      attempt(written.save());
    },
    returnHeld: () => {
      written.returnHeld();
      attempt(written.save());
    },
    sendHeld: async (send: (message: Draft) => Promise<boolean>) => {
      const leaving = written.takeHeld();
      if (leaving && !isEmptyDraft(leaving)) await sending(leaving, () => send(leaving));
    },
  };
}

/** The boxes of a window: what is written in one stays in it while another is looked at. */
const draftStores = new WeakMap<QueryClient, Map<SessionId, DraftStore>>();

function draftStoreFor(
  client: QueryClient,
  commands: Backend['commands'],
  id: SessionId,
  kept: Draft,
): DraftStore {
  const own = draftStores.get(client) ?? new Map<SessionId, DraftStore>();
  draftStores.set(client, own);
  const known = own.get(id);
  if (known) return known;
  const written = new DraftStore(kept, (draft, taken) => {
    // Whoever counts it reads it there.
    client.setQueryData<SessionView>(queryKeys.session(id), (view) => view && { ...view, draft });
    return commands.saveDraft(id, draft, taken);
  });
  own.set(id, written);
  return written;
}
