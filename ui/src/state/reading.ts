/**
 * Reading from Rust: what a view shows is cached under a key, and read again when Rust says that its
 * topic changed. Nothing here is a second truth: whatever is stored is asked for again.
 */
import { QueryClient, queryOptions, useQuery, type Query } from '@tanstack/react-query';
import { useBackend, type Backend } from '../ipc';
import type { Draft, SessionId, SessionItem, ThreadId, Topic } from '../ipc/bindings';

/** The keys under which things are cached, by topic: the topic's own part comes first. */
export const keys = {
  sessions: ['sessions'] as const,
  session: (id: SessionId) => ['session', id] as const,
  /** All sessions: what holds where one has decided nothing has changed. */
  eachSession: ['session'] as const,
  thread: (id: ThreadId) => ['thread', id] as const,
  compaction: (id: SessionId) => ['compaction', id] as const,
  context: (id: SessionId) => ['context', id] as const,
  /** The contexts of all sessions: what is sent with every call has changed. */
  contexts: ['context'] as const,
  reminders: ['reminders'] as const,
  settings: ['settings'] as const,
  providers: ['providers'] as const,
  tools: ['tools'] as const,
  import: ['import'] as const,
  data: ['data'] as const,
  quarantine: ['quarantine'] as const,
  start: ['start'] as const,
  closing: ['closing'] as const,
};

function keysOf(topic: Topic): readonly (readonly unknown[])[] {
  switch (topic.topic) {
    case 'sessions':
      return [keys.sessions];
    case 'session':
      return [keys.session(topic.sessionId)];
    case 'thread':
      return [keys.thread(topic.threadId)];
    case 'compaction':
      return [keys.compaction(topic.sessionId)];
    case 'context':
      return [keys.context(topic.sessionId)];
    case 'reminders':
      return [keys.reminders, keys.contexts];
    case 'settings':
      return [keys.settings, keys.contexts, keys.eachSession];
    case 'providers':
      return [keys.providers, keys.contexts];
    case 'tools':
      return [keys.tools, keys.contexts];
    // Followed by the window as they come (app/links.ts).
    case 'links':
      return [];
    case 'closing':
      return [keys.closing];
    case 'import':
      return [keys.import];
    case 'data':
      return [keys.data];
    case 'everything':
      return [[]];
  }
}

const isUnread = ({ state }: Query) => state.status === 'error' && state.data === undefined;

/** Where it cannot be read, the part of the window that shows it says why instead (kit/ErrorBoundary.tsx). */
export const needed = {
  throwOnError: (_: Error, { state }: { state: { data: unknown } }) => state.data === undefined,
};

/** Where it cannot be read, it is missing, and the rest is shown without it. */
export const beside = { throwOnError: false };

/** How what several views show is shown by one of them. */
export type Manner = typeof needed | typeof beside;

/** What could not be read at all is read by whoever shows it next, as if for the first time. */
export function forgetUnread(client: QueryClient) {
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: isUnread })) {
    void client.resetQueries({ queryKey, exact: true });
  }
}

export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Rust is in the same program: what fails will fail again, and nothing goes stale unsaid.
      queries: { retry: false, staleTime: Infinity, networkMode: 'always', ...needed },
      mutations: { networkMode: 'always' },
    },
  });

/** A first reading that is under way may have been answered before the change: it does not count. */
async function readAgain(client: QueryClient, queryKey: readonly unknown[]) {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}

/** From now on reads again what changed. */
export function follow(client: QueryClient, { changes }: Backend) {
  changes((topics) => {
    for (const queryKey of topics.flatMap(keysOf)) void readAgain(client, queryKey);
  });
}

type Commands = Backend['commands'];

const settings = (commands: Commands) =>
  queryOptions({ queryKey: keys.settings, queryFn: () => commands.settings() });

const startFault = (commands: Commands) =>
  queryOptions({ queryKey: keys.start, queryFn: () => commands.startFault() });

const sessions = (commands: Commands) =>
  queryOptions({ queryKey: keys.sessions, queryFn: () => commands.sessions() });

const session = (commands: Commands, id: SessionId) =>
  queryOptions({ queryKey: keys.session(id), queryFn: () => commands.session(id) });

/**
 * Reads what the first frame of the window shows: how it looks, the sessions and the one that is open.
 * What cannot be read is said where it would be shown.
 */
export async function readFirst(client: QueryClient, { commands }: Backend) {
  const unread = () => undefined;
  const [, fault] = await Promise.all([
    client.query(settings(commands)).catch(unread),
    client.query(startFault(commands)).catch(unread),
  ]);
  // Where something is in the way of the start, nothing else can be read.
  if (fault !== null) return;
  const last = openedLast((await client.query(sessions(commands)).catch(unread)) ?? []);
  if (last) await client.query(session(commands, last.id)).catch(unread);
}

/** The session to open where none is: the one that was opened last, or used last where none ever was. */
export function openedLast(all: readonly SessionItem[]): SessionItem | undefined {
  const isLater = (one: SessionItem, other: SessionItem) =>
    one.opened === other.opened
      ? one.updatedAt > other.updatedAt
      : (one.opened ?? -Infinity) > (other.opened ?? -Infinity);
  return all.reduce<SessionItem | undefined>(
    (last, item) => (last === undefined || isLater(item, last) ? item : last),
    undefined,
  );
}

export function useSessions(manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({ ...sessions(commands), ...manner });
}

export function useSession(id: SessionId) {
  const { commands } = useBackend();
  return useQuery(session(commands, id));
}

export function useModels() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.providers, 'models'],
    queryFn: () => commands.models(),
    ...beside,
  });
}

export function useHealth(id: SessionId, manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.context(id), 'health'],
    queryFn: () => commands.health(id),
    ...manner,
  });
}

/** What each strategy would do for the model of a session; without one, for that of new sessions. */
export function useStrategies(id: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...(id === null ? keys.contexts : keys.context(id)), 'strategies'],
    queryFn: () => commands.strategies(id),
    ...beside,
  });
}

export function useCompaction(id: SessionId) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: keys.compaction(id),
    queryFn: () => commands.compactionStatus(id),
    // What was dismissed does not come back after a long look elsewhere.
    gcTime: Infinity,
    ...beside,
  });
}

export function useCompactions(id: SessionId, manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.context(id), 'compactions'],
    queryFn: () => commands.compactions(id),
    ...manner,
  });
}

export function useImport() {
  const { commands } = useBackend();
  return useQuery({ queryKey: keys.import, queryFn: () => commands.importStatus(), ...beside });
}

/** Where everything is kept, and whether it is whole. */
export function usePlaces(manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: keys.data,
    queryFn: () => commands.places(),
    staleTime: 0,
    ...manner,
  });
}

/** What stands in the way of the start; null where nothing does. */
export function useStartFault() {
  const { commands } = useBackend();
  return useQuery({ ...startFault(commands), ...beside });
}

/** Whether the person wants the window closed, and is to be asked. */
export function useClosing() {
  const { commands } = useBackend();
  return useQuery({ queryKey: keys.closing, queryFn: () => commands.closing(), ...beside });
}

export function useSettings(manner: Manner = beside) {
  const { commands } = useBackend();
  return useQuery({ ...settings(commands), ...manner });
}

/** The estimate for what is written, asked again when the words have rested. */
export function useEstimate(id: SessionId, draft: Draft) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...keys.context(id), 'estimate', draft],
    queryFn: () => commands.estimate(id, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
    ...beside,
  });
}

/** What a draft takes by itself; the count before while it is counted again. */
export function useDraftSize(id: SessionId, draft: Draft) {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...keys.context(id), 'size', draft],
    queryFn: () => commands.draftSize(id, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
    ...beside,
  });
  return data;
}
