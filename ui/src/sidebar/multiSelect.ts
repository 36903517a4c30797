/**
 * Which sessions are marked, for what is done with several at once.
 */
import { useCallback, useMemo, useState } from 'react';
import type { SessionId, SessionItem } from '../ipc/bindings';

export type MultiSelect = {
  /** In the order of the list; empty: nothing is being marked. */
  marked: readonly SessionId[];
  /** Marks or unmarks one; `upTo`: all from the one that was marked last to this. */
  mark: (id: SessionId, upTo: boolean) => void;
  markAll: () => void;
  clear: () => void;
};

type SelectedSessions = { all: ReadonlySet<SessionId>; last: SessionId | null };

const none: SelectedSessions = { all: new Set(), last: null };

export function useMultiSelect(sessions: readonly SessionItem[]): MultiSelect {
  const [marks, setMarks] = useState(none);
  const ids = useMemo(() => sessions.map(({ id }) => id), [sessions]);
  return {
    // What is gone is marked no longer.
    marked: useMemo(() => ids.filter((id) => marks.all.has(id)), [ids, marks]),
    mark: useCallback(
      (id, upTo) => {
        setMarks(({ all, last }) => ({
          all: upTo ? selectRange(all, ids, last, id) : toggle(all, id),
          last: id,
        }));
      },
      [ids],
    ),
    markAll: useCallback(() => {
      setMarks(({ last }) => ({ all: new Set(ids), last }));
    }, [ids]),
    clear: useCallback(() => {
      setMarks(none);
    }, []),
  };
}

function toggle(all: ReadonlySet<SessionId>, id: SessionId): ReadonlySet<SessionId> {
  const next = new Set(all);
  if (!next.delete(id)) next.add(id);
  return next;
}

function selectRange(
  all: ReadonlySet<SessionId>,
  ids: readonly SessionId[],
  from: SessionId | null,
  to: SessionId,
): ReadonlySet<SessionId> {
  // The one that was marked last may be gone, or marked no longer.
  const begin = from !== null && all.has(from) && ids.includes(from) ? from : to;
  const ends = [begin, to].map((id) => ids.indexOf(id));
  return new Set([...all, ...ids.slice(Math.min(...ends), Math.max(...ends) + 1)]);
}
