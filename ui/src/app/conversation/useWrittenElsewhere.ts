/** Keeps two windows from writing one draft: a session with a window of its own is written there alone. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { forgetDraft } from '../../composer/draft/useDraft';
import type { SessionId } from '../../ipc/bindings';
import { useDesktopState } from '../../state/queries/desktopQueries';
import { queryKeys } from '../../state/queries/queries';
import { windowSession } from '../windowSession';

/** True while the session has a window of its own, and until what was written there is read here. */
export function useWrittenElsewhere(sessionId: SessionId): boolean {
  const client = useQueryClient();
  const { data: state } = useDesktopState();
  const isElsewhere = windowSession === null && state?.sessionWindows.includes(sessionId) === true;
  const [isOutdated, setOutdated] = useState(isElsewhere);
  if (isElsewhere && !isOutdated) setOutdated(true);
  useEffect(() => {
    if (isElsewhere || !isOutdated) return;
    forgetDraft(client, sessionId);
    void client.refetchQueries({ queryKey: queryKeys.session(sessionId) }).then(() => {
      setOutdated(false);
    });
  }, [client, sessionId, isElsewhere, isOutdated]);
  return isElsewhere || isOutdated;
}
