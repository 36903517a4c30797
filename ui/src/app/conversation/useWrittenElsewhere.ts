/** Keeps two windows from writing one draft: a session with a window of its own is written there alone. */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { forgetDraft } from '../../composer/draft/useDraft';
import type { SessionId, SessionView } from '../../ipc/bindings';
import { useDesktopState } from '../../state/queries/desktopQueries';
import { queryKeys } from '../../state/queries/queries';
import { replaceEdits } from '../../transcript/edit/editDrafts';

const noSessions: readonly SessionId[] = [];

/**
 * For the app window: the sessions that have a window of their own, and those whose window has closed, until
 * what was written there is read here. All sessions are watched: any may be shown when a window closes.
 */
export function useWrittenElsewhere(): readonly SessionId[] {
  const client = useQueryClient();
  const open = useDesktopState().data?.sessionWindows ?? noSessions;
  const [elsewhere, setElsewhere] = useState(open);
  const opened = open.filter((id) => !elsewhere.includes(id));
  if (opened.length > 0) setElsewhere([...elsewhere, ...opened]);
  const reading = useRef(new Set<SessionId>());
  useEffect(() => {
    for (const id of elsewhere) {
      if (open.includes(id) || reading.current.has(id)) continue;
      reading.current.add(id);
      void readAgain(client, id).then(() => {
        reading.current.delete(id);
        setElsewhere((before) => before.filter((other) => other !== id));
      });
    }
  }, [client, open, elsewhere]);
  return elsewhere;
}

/** Replaces the draft and the edits of a session by the stored ones. */
async function readAgain(client: QueryClient, id: SessionId) {
  forgetDraft(client, id);
  const query = { queryKey: queryKeys.session(id), exact: true };
  try {
    await client.refetchQueries(query, { throwOnError: true });
  } catch {
    // The view of the session shows the error. An old draft would overwrite the stored one.
    void client.resetQueries(query);
  }
  replaceEdits(id, client.getQueryData<SessionView>(query.queryKey)?.edits ?? []);
}
