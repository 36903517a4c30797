/**
 * Queries to Rust. A result is cached under its key and read again when Rust reports a change of its topic.
 * The UI keeps no other copy of stored data.
 */
import { QueryClient, queryOptions, useQuery, type Query } from '@tanstack/react-query';
import { useBackend, type Backend } from '../../ipc';
import type { SessionId, SessionItem, ThreadId, Topic } from '../../ipc/bindings';

/** The keys of the cache. A key begins with its topic. */
export const queryKeys = {
  sessions: ['sessions'] as const,
  session: (id: SessionId) => ['session', id] as const,
  /** All sessions: their defaults have changed. */
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
  desktop: ['desktop'] as const,
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
      // The servers that a consent in the quarantine would start are in the settings.
      return [queryKeys.settings, queryKeys.contexts, queryKeys.eachSession, queryKeys.quarantine];
    case 'providers':
      return [queryKeys.providers, queryKeys.contexts];
    case 'tools':
      return [queryKeys.tools, queryKeys.contexts];
    // app/links/DeepLinks.tsx listens to them.
    case 'links':
      return [];
    case 'closing':
      return [queryKeys.closing];
    case 'desktop':
      return [queryKeys.desktop];
    case 'import':
      return [queryKeys.import];
    case 'data':
      return [queryKeys.data];
    case 'everything':
      return [[]];
  }
}

const isFailedQuery = ({ state }: Query) => state.status === 'error' && state.data === undefined;

/** An error is thrown to the ErrorBoundary around the view. */
export const required = {
  throwOnError: (_: Error, { state }: { state: { data: unknown } }) => state.data === undefined,
};

/** An error leaves the data undefined; the rest of the view is shown. */
export const optional = { throwOnError: false };

/** How one view handles the errors of a shared query. */
export type ReadMode = typeof required | typeof optional;

/** Resets failed queries: the next view reads them as if for the first time. */
export function resetFailedQueries(client: QueryClient) {
  for (const { queryKey } of client.getQueryCache().findAll({ predicate: isFailedQuery })) {
    void client.resetQueries({ queryKey, exact: true });
  }
}

export const makeQueryClient = () =>
  new QueryClient({
    defaultOptions: {
      // Rust runs in the same process: a retry would fail again, and every change is reported.
      queries: { retry: false, staleTime: Infinity, networkMode: 'always', ...required },
      mutations: { networkMode: 'always' },
    },
  });

/** A first read that is under way may have begun before the change: it is cancelled. */
async function refetchTopic(client: QueryClient, queryKey: readonly unknown[]) {
  await client.cancelQueries({ queryKey, predicate: ({ state }) => state.data === undefined });
  await client.invalidateQueries({ queryKey });
}

/** Reads again what changed, from now on. */
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

const unread = () => undefined;

/** Reads the settings, and why Skein could not start. undefined: it could not be read. */
async function prefetchSettings(client: QueryClient, commands: Commands) {
  const [settings, fault] = await Promise.all([
    client.query(settingsQuery(commands)).catch(unread),
    client.query(startupErrorQuery(commands)).catch(unread),
  ]);
  return { settings, fault };
}

/** The appearance of the first frame; undefined: it could not be read. */
export async function prefetchAppearance(client: QueryClient, { commands }: Backend) {
  const { settings, fault } = await prefetchSettings(client, commands);
  return fault?.appearance ?? settings?.settings.appearance;
}

/**
 * Reads the data of the first frame: the appearance, the sessions and the open one. Views report their own
 * errors.
 */
export async function prefetchFirstFrame(client: QueryClient, { commands }: Backend) {
  const { fault } = await prefetchSettings(client, commands);
  // After a startup error nothing else can be read.
  if (fault !== null) return;
  const last = lastOpenedSession((await client.query(sessionsQuery(commands)).catch(unread)) ?? []);
  if (last) await client.query(sessionQuery(commands, last.id)).catch(unread);
}

/** The session to open: the last opened one, or if none was ever opened, the last used one. */
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

/** The numbers of each strategy for the model of a session; null: for the default model. */
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
    // A dismissed notice stays dismissed while another session is shown for long.
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

/** The paths of the data folder and the state of the database. */
export function useDataPaths(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({
    queryKey: queryKeys.data,
    queryFn: () => commands.places(),
    staleTime: 0,
    ...manner,
  });
}

/** Why Skein could not start; null: it has started. */
export function useStartupError() {
  const { commands } = useBackend();
  return useQuery({ ...startupErrorQuery(commands), ...optional });
}

/** The question that this window asks before it closes; null if it is not closing. */
export function useCloseRequest() {
  const { commands } = useBackend();
  return useQuery({ queryKey: queryKeys.closing, queryFn: () => commands.closing(), ...optional });
}

export function useSettings(manner: ReadMode = optional) {
  const { commands } = useBackend();
  return useQuery({ ...settingsQuery(commands), ...manner });
}
