/**
 * What is written in the box: kept soon after it rests, and at once when the box goes away. It is kept
 * in Rust and in what was read of the session, so that nobody reads anything older.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { useBackend } from '../ipc';
import type { ContentPart, Draft, SessionId, SessionView } from '../ipc/bindings';
import { textOf } from '../state/excerpt';
import { keys } from '../state/reading';

/** How long words rest before they are kept and counted, in ms. */
const rest = 250;

/** A reading that was under way may bring a draft that has been replaced since: hardly by more. */
const underWay = 8;

export function useDraft({ session: { id }, draft: kept }: SessionView) {
  const keeping = useKeeping(id);
  const [draft, setDraft] = useState(kept);
  const [rested, setRested] = useState(draft);
  /** What this box had kept since something was sent, the newest last. */
  const own = useRef<readonly Draft[]>([kept]);

  /** Changes the box and what is kept of it at once: what was there does not come back. */
  const keep = (changed: Draft) => {
    setDraft(changed);
    own.current = [...own.current, changed].slice(-underWay);
    return keeping.keep(changed);
  };
  const save = useEffectEvent(() => {
    if (own.current.at(-1) !== draft) void keep(draft);
  });
  useEffect(() => {
    const timer = setTimeout(() => {
      setRested(draft);
      save();
    }, rest);
    return () => {
      clearTimeout(timer);
    };
  }, [draft]);

  // A message that could not be answered comes back into the box, above what is there by now.
  const takeIn = useEffectEvent((returned: Draft) => {
    if (isEmpty(returned) || own.current.some((one) => isSame(one, returned))) return;
    setDraft((now) => joined(returned, now));
  });
  useEffect(() => {
    takeIn(kept);
  }, [kept]);

  const gone = useRef(false);
  useEffect(() => {
    const leave = () => {
      save();
    };
    gone.current = false;
    window.addEventListener('pagehide', leave);
    return () => {
      gone.current = true;
      window.removeEventListener('pagehide', leave);
      leave();
    };
  }, []);

  return {
    draft,
    setDraft,
    keep,
    rested,
    /** Empties the box of what is being sent: Rust empties what is kept as it stores the message. */
    letGo: () => {
      setDraft(emptyDraft);
      own.current = [emptyDraft];
      void keeping.letGo();
    },
    /** What could not be sent is in the box again, or kept for it where it has gone away. */
    putBack: (parts: readonly ContentPart[]) => {
      const before = draftOf(parts);
      if (gone.current) void keeping.keep(joined(before, keeping.kept()));
      else setDraft((now) => joined(before, now));
    },
  };
}

function useKeeping(session: SessionId) {
  const client = useQueryClient();
  const { commands } = useBackend();
  return useMemo(() => {
    const queryKey = keys.session(session);
    const show = (draft: Draft) => {
      client.setQueryData<SessionView>(queryKey, (view) => view && { ...view, draft });
    };
    return {
      kept: () => client.getQueryData<SessionView>(queryKey)?.draft ?? emptyDraft,
      keep: async (draft: Draft) => {
        show(draft);
        await commands.saveDraft(session, draft);
      },
      /** What was being read may still hold it: it is read again when the message is stored. */
      letGo: async () => {
        await client.cancelQueries({ queryKey, exact: true });
        show(emptyDraft);
      },
    };
  }, [client, commands, session]);
}

const emptyDraft: Draft = { text: '', attachments: [] };
export const isEmpty = ({ text, attachments }: Draft) =>
  text.trim() === '' && attachments.length === 0;

const isSame = (one: Draft, other: Draft) =>
  one.text === other.text && blobsOf(one).join() === blobsOf(other).join();
const blobsOf = ({ attachments }: Draft) =>
  attachments.flatMap((part) => ('blob' in part ? [part.blob] : []));

/** A message as it stands in the box. */
export const draftOf = (parts: readonly ContentPart[]): Draft => ({
  text: textOf(parts),
  attachments: parts.filter(({ type }) => type !== 'text'),
});

/** What was written before, above what is written now. */
export const joined = (before: Draft, now: Draft): Draft => ({
  text: [before.text, now.text].filter((words) => words.trim() !== '').join('\n\n'),
  attachments: [...before.attachments, ...now.attachments],
});
