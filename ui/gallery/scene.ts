/**
 * A conversation with everything in it that can stand in one, and the states it can be in.
 */
import type { Backend } from '../src/ipc';
import type {
  ContentPart,
  Message,
  SessionView,
  SettingsView,
  TranscriptItem,
} from '../src/ipc/bindings';
import { fakeBackend, emptySession, defaultSettings, settingsViewOf } from '../test/fakeBackend';
import { readyMcpServer } from '../test/fixtures/mcpServerFixture';
import { turnStore } from '../src/state/turn/turnStore';
import { attachmentsFromParts } from '../src/state/app/draftAttachments';
import { conversation, written } from './conversation';

const model = { provider: 'openrouter', model: 'anthropic/claude-sonnet-4.5' };

const usd = (amount: number) => ({ amount, currency: 'USD' });

const settingsIn = (language: string | null, theme: string): SettingsView =>
  settingsViewOf({
    ...defaultSettings,
    appearance: {
      theme: theme === 'dark' ? 'dark' : 'light',
      language: language === 'zh' ? 'chinese' : 'english',
      zoom: 100,
      notices: 'never',
      spelling: 'checked',
      replySpeech: 'whole',
    },
  });

const titles = [
  ['Wool, silk and the price of dye', '羊毛、丝绸与染料价格'],
  ['Why does the parser choke on CRLF?', '为什么解析器在 CRLF 上出错？'],
  ['Holiday in the Pyrenees, third attempt at a plan', '比利牛斯山假期，第三版计划'],
  ['Refactor the ledger', '重构账本'],
  ['Letter to the landlord', '给房东的信'],
] as const;

function message(id: number, role: Message['role'], parts: ContentPart[]): Message {
  return {
    id,
    threadId: 1,
    parentId: id === 1 ? null : id - 1,
    kind: { type: 'chat' },
    role,
    origin: role === 'user' ? 'person' : 'model',
    parts,
    state: { type: 'complete' },
    inclusion: id === 5 ? 'pinned' : id === 7 ? 'leftOut' : 'usual',
    model: role === 'user' ? null : model,
    createdAt: id,
  };
}

const item = (one: Message, number: number): TranscriptItem => ({
  message: one,
  number,
  siblings: number === 8 ? [one.id, one.id + 100] : [one.id],
  later: null,
  coveredBy: number < 5 ? 1 : null,
  generation: null,
  unstored: null,
  point:
    one.kind.type === 'summary'
      ? {
          point: {
            id: 1,
            threadId: 1,
            summaryMessageId: one.id,
            boundaryMessageId: 4,
            before: 62_300,
            after: 3_900,
            covered: 41,
            fingerprint: '',
            anchors: '',
            trigger: 'threshold',
            model,
            createdAt: 0,
          },
          writer: 'skein' as const,
          coveredMessages: 41,
          applied: true,
          stale: false,
        }
      : null,
});

function items(name: string, zh: boolean): TranscriptItem[] {
  if (name === 'welcome') return [];
  const all = conversation(zh).map(({ role, parts, kind }, at) =>
    item({ ...message(at + 1, role, parts), ...(kind && { kind }) }, at + 1),
  );
  const last = all.at(-1);
  if (last && name === 'failed') {
    const error = JSON.stringify({ kind: 'timedOut', host: 'openrouter.ai', seconds: 60 });
    last.message = { ...last.message, state: { type: 'failed', error } };
  }
  if (last && name === 'interrupted') {
    last.message = { ...last.message, state: { type: 'interrupted' } };
  }
  return all;
}

export function scene(name: string, language: string | null, theme: string): Backend {
  const zh = language === 'zh';
  const settings = settingsIn(language, theme);
  const base = fakeBackend(settings);
  const all = items(name, zh);
  const view: SessionView = {
    ...emptySession,
    session: {
      ...emptySession.session,
      title: titles[0][zh ? 1 : 0],
      pinned: true,
      model,
      overrides: name === 'folder' ? { folder: '/home/ada/weaving/loom' } : {},
    },
    name: titles[0][zh ? 1 : 0],
    threads: [2, 1].map((number) => ({
      id: number === 2 ? 1 : 2,
      sessionId: 1,
      number,
      leaf: null,
      beginning: { type: 'first' },
      createdAt: 0,
      endedAt: number === 2 ? null : 1,
    })),
    isEmpty: false,
    model,
    strategy: name === 'noTools' ? 'remind' : 'summarize',
    draft: { text: '', attachments: name === 'attached' ? attachmentsFromParts(written(zh)) : [] },
    edits: [],
  };
  const known: Partial<Backend['commands']> = {
    sessions: () =>
      Promise.resolve(
        titles.map(([en, chinese], at) => ({
          id: at + 1,
          title: zh ? chinese : en,
          name: zh ? chinese : en,
          pinned: at === 0,
          updatedAt: Date.now() - at * 36_000_000,
          activity: at === 1 ? 'replying' : at === 3 ? 'asking' : 'idle',
          ended: null,
          unread: at === 2,
          opened: at === 0 ? 1 : null,
        })),
      ),
    session: () => Promise.resolve(view),
    deleteSessions: () => Promise.resolve(null),
    restoreSessions: () => Promise.resolve(null),
    transcript: () => Promise.resolve({ items: all, before: 0, after: 0 }),
    models: () =>
      Promise.resolve([
        { model, name: 'Claude Sonnet 4.5', providerName: 'OpenRouter', spec: {}, follows: {} },
        {
          model: { provider: 'demo', model: 'demo-8k' },
          name: 'demo-8k',
          providerName: 'demo',
          spec: { window: { value: 8192, source: 'provider' } },
          limit: 8192,
          follows: {},
        },
      ]),
    estimate: () =>
      Promise.resolve({
        used: { tokens: 45_230, basis: 'calibrated' },
        limit: name === 'unknown' ? null : { value: 128_000, source: 'catalogue' },
        window: null,
        spread: null,
        actsAt: name === 'unknown' ? null : 57_600,
        actsShare: name === 'unknown' ? null : { percent: 60, of: 96_000 },
        due: null,
        cost: {
          now: { type: 'between', least: usd(16_000_000_000), most: usd(172_000_000_000) },
          cached: 43_100,
          fresh: 2_130,
          answer: { least: 120, most: 2_400, isTypical: true },
          declaresTools: true,
          compacted: { type: 'between', least: usd(5_000_000_000), most: usd(64_000_000_000) },
        },
        model,
      }),
    health: () =>
      Promise.resolve({
        latest: {
          level: name === 'failed' ? 'critical' : name === 'stuck' ? 'caution' : 'healthy',
          prompt: name === 'failed' ? 118_000 : name === 'stuck' ? 104_000 : 43_100,
          limit: 128_000,
          optimal: 100_000,
          critical: 115_200,
          hardUtil: name === 'failed' ? 0.92 : name === 'stuck' ? 0.81 : 0.34,
          optimalUtil: 0.43,
        },
        history: [],
        unmentioned: null,
        waits: name === 'stuck' ? { type: 'stuck', floor: 131_072, limit: 96_000 } : null,
      }),
    compactionStatus: () =>
      Promise.resolve(
        name === 'compacting'
          ? {
              type: 'running',
              progress: {
                threadId: 1,
                pieces: 3,
                piece: 2,
                text: zh ? '目标：找到最便宜的染料。' : 'Goal: find the cheapest dye.',
                model,
                unstored: null,
              },
            }
          : { type: 'idle' },
      ),
    folderFault: () => Promise.resolve(name === 'folder' ? 'missing' : null),
    strategies: () =>
      Promise.resolve({
        model,
        available: name === 'unknown' ? null : 96_000,
        upperBound: null,
        summarizeAbove: name === 'unknown' ? null : 57_600,
        remindAbove: name === 'unknown' ? null : 102_400,
        countDownAbove: name === 'unknown' ? null : 115_200,
        archiveAbove: name === 'unknown' ? null : 115_200,
        automaticCleaning: {
          cleaning: 'inBatches',
          reason: { type: 'cheapReads', percent: 10 },
        },
        takesTools: name !== 'noTools',
        global: 'summarize',
      }),
    breakdown: () =>
      Promise.resolve({
        window: 128_000,
        assumed: false,
        mode: { type: 'reported', total: 43_100, cached: 31_000 },
        rows: [
          { kind: 'systemPrompt', tokens: 1_210, parts: [] },
          { kind: 'builtInTools', tokens: 4_020, parts: [] },
          { kind: 'mcpTools', tokens: 6_800, parts: [] },
          { kind: 'skills', tokens: 900, parts: [] },
          { kind: 'memoryFiles', tokens: 2_170, parts: [] },
          {
            kind: 'messages',
            tokens: 28_000,
            parts: [
              { label: { type: 'person' }, tokens: 4_000 },
              { label: { type: 'model' }, tokens: 14_000 },
              { label: { type: 'toolResults' }, tokens: 10_000 },
            ],
          },
          { kind: 'freeSpace', tokens: 14_500, parts: [] },
          { kind: 'autocompactBuffer', tokens: 70_400, parts: [] },
        ],
        over: 0,
      }),
    contextSavings: () =>
      Promise.resolve([
        {
          kind: { type: 'unusedTools', tools: ['git__log', 'git__find'], rounds: 40 },
          tokens: 6_100,
          cost: null,
        },
      ]),
    previewCompaction: () =>
      Promise.resolve({
        before: 45_230,
        after: 9_100,
        writer: 'skein' as const,
        encrypted: false,
        covers: [],
        keeps: [],
        summary: 800,
        facts: 120,
        model,
        cost: { type: 'between', least: usd(18_000_000_000), most: usd(41_000_000_000) },
        paidAfter: { least: 1, most: 4 },
      }),
    places: () =>
      Promise.resolve({
        config: '/home/ada/.config/skein',
        data: '/home/ada/.local/share/skein',
        database: '/home/ada/.local/share/skein/skein.db',
        backups: [
          {
            path: '/home/ada/.local/share/skein/backups/skein-v4-20261122T090000Z-0003-daily.db',
            reason: 'daily' as const,
            at: 1.7901e12,
            bytes: 48_900_000,
          },
          {
            path: '/home/ada/.local/share/skein/backups/skein-v4-20261121T080000Z-kept.db',
            reason: 'person' as const,
            at: 1.79e12,
            bytes: 48_200_000,
          },
        ],
        damage: null,
        uncopied: null,
        cutImport: null,
        moved: null,
      }),
    importStatus: () => Promise.resolve({ type: 'idle' as const }),
    startFault: () => Promise.resolve(null),
    hosts: () =>
      Promise.resolve([
        { host: 'openrouter.ai:443', purpose: 'reply', calls: 312, firstAt: 1e12, lastAt: 1.7e12 },
      ]),
    tools: () => Promise.resolve([]),
    toolGrants: () => Promise.resolve([]),
    mcpServers: () =>
      Promise.resolve([
        {
          ...readyMcpServer,
          name: 'files',
          state: {
            type: 'needsConsent',
            command: 'npx -y @example/files /home/ada',
            environment: [],
            unseen: [],
            again: false,
          },
        },
      ]),
    skills: () => Promise.resolve({ skills: [], problems: [] }),
    memoryFiles: () => Promise.resolve([]),
    providers: () => Promise.resolve([]),
    providerKinds: () =>
      Promise.resolve([
        {
          id: 'openrouter',
          name: 'OpenRouter',
          format: 'chat',
          baseUrl: 'https://openrouter.ai/api/v1',
          keyless: false,
          keyEnv: ['OPENROUTER_API_KEY'],
          keyFound: null,
          keyPage: 'https://openrouter.ai/settings/keys',
          defaultModel: null,
        },
      ]),
    resolveAddress: ({ baseUrl }) => Promise.resolve(`${baseUrl ?? ''}/chat/completions`),
    reminders: () => Promise.resolve([]),
    askSideQuestion: () =>
      Promise.resolve({
        text: zh
          ? '**筘**用来打纬，每英寸的齿数决定经线密度。'
          : 'A **reed** beats the weft home; its dents per inch set the sett.',
        model,
        ending: { type: 'complete' },
        truncation: null,
        hasCalls: false,
        usage: { prompt: 43_180, completion: 41, cached: 42_900 },
        cost: { type: 'known', money: usd(13_700_000_000) },
      }),
    keepSideQuestions: () => Promise.resolve(null),
    seenByReply: () =>
      Promise.resolve({
        lines: conversation(zh).map(({ parts }, at) => ({
          label: { type: 'message', messageId: at + 1 },
          role: at % 2 === 0 ? 'user' : 'assistant',
          parts: parts.flatMap((part) =>
            part.type === 'text' ? [{ type: 'text', text: part.text }] : [],
          ),
          tokens: 120,
        })),
        total: { tokens: 41_207, basis: 'exact' },
        leftOut: 1,
        removed: 2,
      }),
  };
  state(name);
  const commands = new Proxy(base.commands, {
    get: (of, called): unknown => Reflect.get(known, called) ?? Reflect.get(of, called),
  });
  return { ...base, commands };
}

/** What a turn says that stands beside the messages. */
function state(name: string) {
  const now = turnStore.get(1);
  if (name === 'limited') {
    const until = Date.now() + 42_000;
    const fault = { kind: 'rateLimited' as const, retryAfterMs: 42_000, message: 'Slow down' };
    turnStore.set(1, {
      ...now,
      running: true,
      waiting: { type: 'retry', fault, until, attempt: 2 },
    });
  }
  if (name === 'stream') stream();
  if (name === 'offline') {
    const error = JSON.stringify({ kind: 'unreachable', host: 'openrouter.ai' });
    const reply = { ...message(900, 'assistant', []), state: { type: 'failed' as const, error } };
    turnStore.set(1, { ...now, live: [reply] });
  }
}

/** A thousand words a second, as Rust passes them on: once per frame. */
function stream() {
  const words =
    'The weaver crosses the warp with the weft and **beats** it `home`, row after row. ';
  const reply = { ...message(900, 'assistant', []), state: { type: 'streaming' as const } };
  turnStore.begin(1);
  turnStore.receive(1, { type: 'message', message: reply });
  let flushes = 0;
  const timer = setInterval(() => {
    flushes += 1;
    const delta = flushes % 9 === 0 ? `${words}\n\n` : words;
    turnStore.receive(1, { type: 'text', messageId: 900, delta });
    if (flushes > 700) clearInterval(timer);
  }, 16);
}
