/**
 * The sessions that are selected for an action on several at once.
 */
import { useCallback, useMemo, useState } from 'react';
import type { SessionId, SessionItem } from '../ipc/bindings';

export type MultiSelect = {
  /** In the order of the list. */
  selected: readonly SessionId[];
  /** Toggles a session. `upTo`: selects the range from the last toggled one. */
  select: (id: SessionId, upTo: boolean) => void;
  selectAll: () => void;
  clear: () => void;
};

type SelectedSessions = { all: ReadonlySet<SessionId>; last: SessionId | null };

const none: SelectedSessions = { all: new Set(), last: null };

export function useMultiSelect(sessions: readonly SessionItem[]): MultiSelect {
  const [state, setState] = useState(none);
  const ids = useMemo(() => sessions.map(({ id }) => id), [sessions]);
  return {
    // A deleted session is not selected.
    selected: useMemo(() => ids.filter((id) => state.all.has(id)), [ids, state]),
    select: useCallback(
      (id, upTo) => {
        setState(({ all, last }) => ({
          all: upTo ? selectRange(all, ids, last, id) : toggle(all, id),
          last: id,
        }));
      },
      [ids],
    ),
    selectAll: useCallback(() => {
      setState(({ last }) => ({ all: new Set(ids), last }));
    }, [ids]),
    clear: useCallback(() => {
      setState(none);
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
  // The last toggled session may be deleted or no longer selected.
  const begin = from !== null && all.has(from) && ids.includes(from) ? from : to;
  const ends = [begin, to].map((id) => ids.indexOf(id));
  return new Set([...all, ...ids.slice(Math.min(...ends), Math.max(...ends) + 1)]);
}
