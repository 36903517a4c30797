/**
 * The draft of a session for its composer. It is saved soon after each change (useAutosave.ts), and at once
 * when the composer unmounts or the page is hidden.
 */
import { useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { useBackend, type Backend } from '../../ipc';
import type { Draft, SessionId, SessionView, QueuedMessage } from '../../ipc/bindings';
import { useStore } from '../../kit/hooks/createStore';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { useAutosave } from '../../state/hooks/useAutosave';
import { useDebounced } from '../../state/hooks/useDebounced';
import { queryKeys } from '../../state/queries/queries';
import { isEmptyDraft, DraftStore } from './draftStore';

/** Tokens are counted this long after the last change, in ms. */
const countDelayMs = 250;

/** Changes the draft, or with `inPending` the message that waits for its attachments. */
export type UpdateDraft = (change: (current: Draft) => Draft, inPending?: boolean) => void;

export function useDraft(view: SessionView) {
  const store = useDraftStore(view);
  const draft = useStore(store.state, (state) => state.draft);
  const pendingMessage = useStore(store.state, (state) => state.pending);
  const sendingMessages = useStore(store.state, (state) => state.sending);
  const debouncedDraft = useDebounced(draft, countDelayMs);
  const reportError = useReportError(useToast());
  const save = () => {
    reportError(store.save());
  };
  useAutosave(save, draft, pendingMessage);
  useSaveOnHide(save);
  useMergeReturnedMessage(store, view.waiting, draft);

  /** May be called after the composer has unmounted. */
  const updateDraft: UpdateDraft = (change, inPending = false) => {
    if (inPending) store.updatePending(change);
    else store.change(change);
    save();
  };
  return {
    draft,
    pendingMessage,
    sendingMessages,
    debouncedDraft,
    setDraft: (change: (current: Draft) => Draft) => {
      store.change(change);
    },
    updateDraft,
    save: () => store.save(),
    /** Writes a command's line again; false: the user has written something else since. */
    restoreLine: (line: string): boolean => {
      if (store.draft.text.trim() !== '') return false;
      updateDraft((current) => ({ ...current, text: line }));
      return true;
    },
    mergeQueued: (message: QueuedMessage) => store.mergeQueued(message),
    send: store.send.bind(store),
    /** Moves the draft to the pending message, until that is sent or restored. */
    holdForSend: () => {
      store.holdForSend();
      save();
    },
    restorePending: () => {
      store.restorePending();
      save();
    },
  };
}

/** Saves when the composer unmounts, and when the app window closes or reloads. */
function useSaveOnHide(save: () => void) {
  const saveNow = useEffectEvent(save);
  useEffect(() => {
    const onHide = () => {
      saveNow();
    };
    window.addEventListener('pagehide', onHide);
    return () => {
      window.removeEventListener('pagehide', onHide);
      onHide();
    };
  }, []);
}

/**
 * P07: a message that could not be answered, or the text of a link, moves into an empty draft. While the
 * draft is not empty, it stays in the list of queued messages.
 */
function useMergeReturnedMessage(
  store: DraftStore,
  queued: readonly QueuedMessage[],
  draft: Draft,
) {
  const returned = queued.find(({ forBox }) => forBox);
  const isEmpty = isEmptyDraft(draft);
  useEffect(() => {
    if (returned && isEmpty) store.mergeQueued(returned).catch(() => undefined);
  }, [returned, isEmpty, store]);
}

/** The draft stores of an app: a draft outlives its composer while another session is shown. */
const draftStores = new WeakMap<QueryClient, Map<SessionId, DraftStore>>();

/** The next composer of the session begins with the stored draft, which another window may have written. */
export function forgetDraft(client: QueryClient, id: SessionId) {
  draftStores.get(client)?.delete(id);
}

function useDraftStore({ session, draft }: SessionView): DraftStore {
  const { commands } = useBackend();
  const client = useQueryClient();
  const [store] = useState(() => draftStoreFor(client, commands, session.id, draft));
  return store;
}

function draftStoreFor(
  client: QueryClient,
  commands: Backend['commands'],
  id: SessionId,
  saved: Draft,
): DraftStore {
  const stores = draftStores.get(client) ?? new Map<SessionId, DraftStore>();
  draftStores.set(client, stores);
  const existing = stores.get(id);
  if (existing) return existing;
  const store = new DraftStore(saved, (draft, merged) => {
    // The token estimate reads the draft from the session's query.
    client.setQueryData<SessionView>(queryKeys.session(id), (view) => view && { ...view, draft });
    return commands.saveDraft(id, draft, merged);
  });
  stores.set(id, store);
  return store;
}
