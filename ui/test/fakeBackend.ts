/**
 * A backend in memory, for tests: a session that answers what it was told, without Rust.
 */
import type { Channel } from '@tauri-apps/api/core';
import type { Backend } from '../src/ipc';
import type {
  Message,
  SessionView,
  Settings,
  SettingsView,
  Topic,
  TurnEvent,
} from '../src/ipc/bindings';
import { transcriptPage, idleSessionItem } from './fixtures/conversationFixtures';
import { defaultSettings } from './fixtures/defaultSettings';
import { unreportedHealth, strategyNumbers } from './fixtures/healthFixtures';
import { unknownMessageCost } from './fixtures/costFixtures';

/** The function that receives the events of a fake channel. */
type FakeChannel = { hear: (event: TurnEvent) => void };

const model = { provider: 'demo', model: 'demo-8k' };

export { defaultSettings };

/** Settings as they are read from a file without faults. */
export const settingsViewOf = (settings: Settings): SettingsView => ({
  path: '/home/ada/.config/skein/settings.json',
  problems: [],
  broken: null,
  safeMode: false,
  settings,
});

/** A session that has just begun. */
export const emptySession: SessionView = {
  session: {
    id: 1,
    title: 'Wool',
    pinned: false,
    currentThread: 1,
    model: null,
    overrides: {},
    createdAt: 0,
    updatedAt: 0,
  },
  name: 'Wool',
  threads: [],
  isEmpty: true,
  model,
  strategy: 'summarize',
  automatic: true,
  draft: { text: '', attachments: [] },
  edits: [],
  waiting: [],
  isTurnCut: false,
  activity: 'idle',
  questions: [],
};

/** A session with nothing in it yet, answering every message with its own words. */
export function fakeBackend(settings: SettingsView | null = null): Backend {
  const messages: Message[] = [];
  const heard = new Set<(topics: readonly Topic[]) => void>();
  const add = (role: Message['role'], text: string): Message => {
    const message: Message = {
      id: messages.length + 1,
      threadId: 1,
      parentId: messages.at(-1)?.id ?? null,
      kind: { type: 'chat' },
      role,
      origin: role === 'user' ? 'person' : 'model',
      parts: [{ type: 'text', text }],
      state: { type: 'complete' },
      inclusion: 'usual',
      model: role === 'user' ? null : model,
      createdAt: messages.length,
    };
    messages.push(message);
    return message;
  };
  const known: Partial<Backend['commands']> = {
    sessions: () => Promise.resolve([idleSessionItem]),
    openSession: () => Promise.resolve(null),
    closing: () => Promise.resolve(null),
    noteUnsaved: () => Promise.resolve(),
    setDesktopTexts: () => Promise.resolve(null),
    desktopState: () =>
      Promise.resolve({
        trayVisible: false,
        shortcut: { type: 'off' },
        loginStartFailed: false,
        sessionWindows: [],
      }),
    session: () =>
      Promise.resolve({
        ...emptySession,
        session: { ...emptySession.session, updatedAt: messages.length },
        isEmpty: messages.length === 0,
      }),
    settings: () =>
      settings ? Promise.resolve(settings) : Promise.reject(new Error('no settings here')),
    models: () =>
      Promise.resolve([{ model, name: 'demo-8k', providerName: 'demo', spec: {}, follows: {} }]),
    renewModels: () => Promise.resolve(null),
    health: () => Promise.resolve(unreportedHealth),
    compactionStatus: () => Promise.resolve({ type: 'idle' }),
    saveDraft: () => Promise.resolve(null),
    revealMessage: () => Promise.resolve(null),
    strategies: () => Promise.resolve(strategyNumbers),
    folderFault: () => Promise.resolve(null),
    startFault: () => Promise.resolve(null),
    quarantine: () => Promise.resolve([]),
    updates: () =>
      Promise.resolve({
        host: null,
        version: '',
        isPackaged: false,
        state: { type: 'idle' },
        wayBack: null,
        returned: null,
      }),
    budgets: () => Promise.resolve([]),
    watch: () => Promise.resolve(false),
    supersededReads: () => Promise.resolve([]),
    cacheReport: () => Promise.resolve({ totals: null, miss: null, keepsHour: false }),
    compactFirstCost: () => Promise.resolve(null),
    estimate: () =>
      Promise.resolve({
        used: { tokens: 1234, basis: 'exact' },
        limit: { value: 8192, source: 'provider' },
        window: null,
        spread: null,
        cost: unknownMessageCost,
        actsAt: 2457,
        actsShare: { percent: 60, of: 4096 },
        due: null,
        model,
      }),
    transcript: () => Promise.resolve(transcriptPage(...messages)),
    attachText: (name, text) =>
      Promise.resolve({
        type: 'file',
        blob: 1,
        name,
        mediaType: 'text/plain',
        bytes: text.length,
      }),
    draftSize: () => Promise.resolve({ tokens: 1234, limit: 8192 }),
    search: (query) => {
      const words = query.replaceAll('"', '').toLowerCase();
      const text = ({ parts }: Message) =>
        parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('');
      return Promise.resolve(
        messages
          .filter((message) => text(message).toLowerCase().includes(words))
          .map((message) => ({
            sessionId: 1,
            sessionName: 'Wool',
            place: {
              threadId: 1,
              threadNumber: 1,
              messageId: message.id,
              messageNumber: message.id,
              role: message.role,
              origin: message.origin,
              at: 0,
            },
            excerpt: [{ text: text(message), found: true }],
          })),
      );
    },
    cancelSearch: () => Promise.resolve(),
    places: () =>
      Promise.resolve({
        config: '/c',
        data: '/d',
        database: '/d/skein.db',
        backups: [],
        damage: null,
        uncopied: null,
        cutImport: null,
        moved: null,
      }),
    formatted: (markdown) => Promise.resolve(`<p>${markdown}</p>`),
    send: (_session, { text }, channel) => {
      const { hear } = channel as unknown as FakeChannel;
      hear({ type: 'message', message: add('user', text) });
      hear({ type: 'message', message: add('assistant', `You said: ${text}`) });
      heard.forEach((hearing) => {
        hearing([{ topic: 'thread', threadId: 1 }]);
      });
      return Promise.resolve({ type: 'answered' });
    },
  };
  const commands = new Proxy(known, {
    get: (all, name): unknown =>
      Reflect.get(all, name) ??
      (() => Promise.reject(new Error(`${String(name)} is not in memory`))),
  });
  return {
    commands: commands as Backend['commands'],
    desktop: {
      openLink: () => Promise.resolve(),
      copyText: () => Promise.resolve(),
      copyFormatted: () => Promise.resolve(),
      copyPicture: () => Promise.resolve(),
      pickFiles: () => Promise.resolve([]),
      pickFile: () => Promise.resolve(null),
      showInFolder: () => Promise.resolve(),
      pickFolder: () => Promise.resolve(null),
      pickTarget: () => Promise.resolve(null),
      onDrop: () => Promise.resolve(() => undefined),
      hasFocus: () => Promise.resolve(document.hasFocus()),
      notify: () => Promise.resolve(null),
      announce: null,
      setZoom: () => Promise.resolve(null),
    },
    channel: <Event>(hear: (event: Event) => void) => ({ hear }) as unknown as Channel<Event>,
    changes: (hearing) => {
      heard.add(hearing);
      return () => heard.delete(hearing);
    },
    links: () => () => undefined,
  };
}
