/**
 * Reading from Rust: what a view shows is cached under a key, and read again when Rust says that its
 * topic changed. Nothing here is a second truth: whatever is stored is asked for again.
 */
import { QueryClient, queryOptions, useQuery, type Query } from '@tanstack/react-query';
import { useBackend, type Backend } from '../../ipc';
import type { Draft, SessionId, SessionItem, ThreadId, Topic } from '../../ipc/bindings';

/** The keys under which things are cached, by topic: the topic's own part comes first. */
export const queryKeys = {
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

function queryKeysOf(topic: Topic): readonly (readonly unknown[])[] {
  switch (topic.topic) {
    case 'sessions':
      return [queryKeys.sessions];
    case 'session':
      return [queryKeys.session(topic.sessionId)];
    case 'thread':
      return [queryKeys.thread(topic.threadId)];
    case 'compaction':
      return [queryKeys.compaction(topic.sessionId)];
    case 'context':
      return [queryKeys.context(topic.sessionId)];
    case 'reminders':
      return [queryKeys.reminders, queryKeys.contexts];
    case 'settings':
      // What a consent in the quarantine would start stands in the settings.
      return [queryKeys.settings, queryKeys.contexts, queryKeys.eachSession, queryKeys.quarantine];
    case 'providers':
      return [queryKeys.providers, queryKeys.contexts];
    case 'tools':
      return [queryKeys.tools, queryKeys.contexts];
    // Followed by the window as they come (app/links/DeepLinks.tsx).
    case 'links':
      return [];
    case 'closing':
      return [queryKeys.closing];
    case 'import':
      return [queryKeys.import];
    case 'data':
      return [queryKeys.data];
    case 'everything':
      return [[]];
  }
}

const isFailedQuery = ({ state }: Query) => state.status === 'error' && state.data === undefined;

/** Where it cannot be read, the part of the window that shows it says why instead (kit/ErrorBoundary.tsx). */
export const required = {
  throwOnError: (_: Error, { state }: { state: { data: unknown } }) => state.data === undefined,
};

/** Where it cannot be read, it is missing, and the rest is shown without it. */
export const optional = { throwOnError: false };

/** How what several views show is shown by one of them. */
export type ReadMode = typeof required | typeof optional;

/** What could not be read at all is read by whoever shows it next, as if for the first time. */
export function resetFailedQueries(client: QueryClient) {
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: isFailedQuery })) {
    void client.resetQueries({ queryKey, exact: true });
  }
}

export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Rust is in the same program: what fails will fail again, and nothing goes stale unsaid.
      queries: { retry: false, staleTime: Infinity, networkMode: 'always', ...required },
      mutations: { networkMode: 'always' },
    },
  });

/** A first reading that is under way may have been answered before the change: it does not count. */
async function refetchTopic(client: QueryClient, queryKey: readonly unknown[]) {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}

/** From now on reads again what changed. */
export function refetchOnChange(client: QueryClient, { changes }: Backend) {
  changes((topics) => {
    for (const queryKey of topics.flatMap(queryKeysOf)) void refetchTopic(client, queryKey);
  });
}

type Commands = Backend['commands'];

const settingsQuery = (commands: Commands) =>
  queryOptions({ queryKey: queryKeys.settings, queryFn: () => commands.settings() });

const startupErrorQuery = (commands: Commands) =>
  queryOptions({ queryKey: queryKeys.start, queryFn: () => commands.startFault() });

const sessionsQuery = (commands: Commands) =>
  queryOptions({ queryKey: queryKeys.sessions, queryFn: () => commands.sessions() });

const sessionQuery = (commands: Commands, id: SessionId) =>
  queryOptions({ queryKey: queryKeys.session(id), queryFn: () => commands.session(id) });

/**
 * Reads what the first frame of the window shows: how it looks, the sessions and the one that is open.
 * What cannot be read is said where it would be shown.
 */
export async function prefetchFirstFrame(client: QueryClient, { commands }: Backend) {
  const unread = () => undefined;
  const [, fault] = await Promise.all([
    client.query(settingsQuery(commands)).catch(unread),
    client.query(startupErrorQuery(commands)).catch(unread),
  ]);
  // Where something is in the way of the start, nothing else can be read.
  if (fault !== null) return;
  const last = lastOpenedSession((await client.query(sessionsQuery(commands)).catch(unread)) ?? []);
  if (last) await client.query(sessionQuery(commands, last.id)).catch(unread);
}

/** The session to open where none is: the one that was opened last, or used last where none ever was. */
export function lastOpenedSession(all: readonly SessionItem[]): SessionItem | undefined {
  const isLater = (one: SessionItem, other: SessionItem) =>
    one.opened === other.opened
      ? one.updatedAt > other.updatedAt
      : (one.opened ?? -Infinity) > (other.opened ?? -Infinity);
  return all.reduce<SessionItem | undefined>(
    (last, item) => (last === undefined || isLater(item, last) ? item : last),
    undefined,
  );
}

export function useSessions(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({ ...sessionsQuery(commands), ...manner });
}

export function useSession(id: SessionId) {
  const { commands } = useBackend();
  return useQuery(sessionQuery(commands, id));
}

export function useModels() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.providers, 'models'],
    queryFn: () => commands.models(),
    ...optional,
  });
}

export function useHealth(id: SessionId, manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.context(id), 'health'],
    queryFn: () => commands.health(id),
    ...manner,
  });
}

/** What each strategy would do for the model of a session; without one, for that of new sessions. */
export function useStrategies(id: SessionId | null) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...(id === null ? queryKeys.contexts : queryKeys.context(id)), 'strategies'],
    queryFn: () => commands.strategies(id),
    ...optional,
  });
}

export function useCompactionStatus(id: SessionId) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: queryKeys.compaction(id),
    queryFn: () => commands.compactionStatus(id),
    // What was dismissed does not come back after a long look elsewhere.
    gcTime: Infinity,
    ...optional,
  });
}

export function useCompactions(id: SessionId, manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.context(id), 'compactions'],
    queryFn: () => commands.compactions(id),
    ...manner,
  });
}

export function useImportStatus() {
  const { commands } = useBackend();
  return useQuery({
    queryKey: queryKeys.import,
    queryFn: () => commands.importStatus(),
    ...optional,
  });
}

/** Where everything is kept, and whether it is whole. */
export function useDataPaths(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: queryKeys.data,
    queryFn: () => commands.places(),
    staleTime: 0,
    ...manner,
  });
}

/** What stands in the way of the start; null where nothing does. */
export function useStartupError() {
  const { commands } = useBackend();
  return useQuery({ ...startupErrorQuery(commands), ...optional });
}

/** Whether the person wants the window closed, and is to be asked. */
export function useCloseRequest() {
  const { commands } = useBackend();
  return useQuery({ queryKey: queryKeys.closing, queryFn: () => commands.closing(), ...optional });
}

export function useSettings(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({ ...settingsQuery(commands), ...manner });
}

/** The estimate for what is written, asked again when the words have rested. */
export function useEstimate(id: SessionId, draft: Draft) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: [...queryKeys.context(id), 'estimate', draft],
    queryFn: () => commands.estimate(id, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
    ...optional,
  });
}

/** What a draft takes by itself; the count before while it is counted again. */
export function useDraftSize(id: SessionId, draft: Draft) {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: [...queryKeys.context(id), 'size', draft],
    queryFn: () => commands.draftSize(id, draft),
    placeholderData: (previous) => previous,
    gcTime: 10_000,
    ...optional,
  });
  return data;
}
