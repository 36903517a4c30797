import { act, screen, waitFor } from '@testing-library/react';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type { Backend } from '../ipc';
import type {
  ContextEstimate,
  HealthLevel,
  HealthSnapshot,
  SessionView,
  Topic,
} from '../ipc/bindings';
import { emptySession } from '../../test/fakeBackend';
import { unreportedHealth } from '../../test/fixtures/healthFixtures';
import { Composer } from './Composer';
import { ContextHealthRing } from './ContextHealthRing';
import { unknownMessageCost } from '../../test/fixtures/costFixtures';

const nothing = () => undefined;

afterEach(() => {
  vi.useRealTimers();
});

function open(view: Partial<SessionView> = {}, commands: Partial<Backend['commands']> = {}) {
  const backend = backendWith(commands);
  const heard = new Set<(topics: readonly Topic[]) => void>();
  backend.changes = (hearing) => {
    heard.add(hearing);
    return () => heard.delete(hearing);
  };
  const changed = (topic: Topic) => {
    heard.forEach((hearing) => {
      hearing([topic]);
    });
  };
  const composer = (
    <Composer
      view={{ ...emptySession, ...view }}
      commands={[]}
      onEstimate={nothing}
      numbers={nothing}
      onSent={nothing}
      onEditLast={() => false}
      onPage={() => undefined}
    />
  );
  return { ...renderPart(composer, backend), changed };
}

it('has only pictures left of its edge where the box is narrow, each with its name', () => {
  const folder = '/home/ada/a-folder-of-a-very-long-name';
  open({
    session: { ...emptySession.session, overrides: { folder } },
    draft: { text: 'And then?', attachments: [] },
    activity: 'replying',
  });
  const names = ['Folder: a-folder-of-a-very-long-name', 'Send next', 'Stop'];
  for (const name of names) {
    const button = screen.getByRole('button', { name });
    expect([...button.childNodes].filter((part) => part.nodeType === Node.TEXT_NODE)).toEqual([]);
    expect(button.querySelector('span')).toHaveAttribute('data-wide');
    expect(button.querySelector('svg')).not.toBeNull();
  }
  const css = readFileSync(path.resolve(import.meta.dirname, 'Composer.css'), 'utf8');
  expect(css).toMatch(/\.Composer-card \{\s*container: composer \/ inline-size;/);
  expect(css).toMatch(
    /@container composer \(max-width: \d+px\) \{\s*\.Composer-toolbar \[data-wide\] \{/,
  );
});

it('invites to send only what is there to be sent, and keeps the button', async () => {
  const { user } = open();
  const send = screen.getByRole('button', { name: 'Send' });
  expect(send).toHaveAttribute('data-kind', 'plain');
  expect(send).toBeEnabled();
  await user.type(screen.getByRole('textbox', { name: 'Message' }), ' wool');
  expect(send).toHaveAttribute('data-kind', 'primary');
});

const estimated: ContextEstimate = {
  used: { tokens: 1_234, basis: 'exact' },
  limit: { value: 8_192, source: 'provider' },
  window: null,
  spread: null,
  cost: unknownMessageCost,
  actsAt: null,
  actsShare: null,
  due: null,
  model: emptySession.model,
};

it('shows that the context is counted the first time, and again when it has changed, but no short count', async () => {
  const counts: (() => void)[] = [];
  vi.useFakeTimers();
  const estimate = () =>
    new Promise<ContextEstimate>((resolve) => {
      counts.push(() => {
        resolve(estimated);
      });
    });
  const { changed } = open({}, { estimate });
  const button = screen.getByRole('button', { name: 'Context estimate' });
  const after = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
  const counted = async () => {
    counts.pop()?.();
    await after(0);
    expect(button).not.toHaveAttribute('aria-busy');
    expect(button).toHaveTextContent('1.2k / 8.2k');
    await after(1_000);
  };
  const again = async () => {
    act(() => {
      changed({ topic: 'context', sessionId: 1 });
    });
    await after(150);
    expect(counts).toHaveLength(1);
    expect(button).not.toHaveAttribute('aria-busy');
  };
  await after(0);
  expect(button).toHaveAttribute('aria-busy', 'true');
  await counted();
  await again();
  await counted();
  await again();
  await after(100);
  expect(button).toHaveAttribute('aria-busy', 'true');
  await counted();
});

async function pie(
  level: HealthLevel,
  known: Partial<HealthSnapshot>,
  due: 'compaction' | null = null,
) {
  const latest = { ...unreportedHealth.latest, level, ...known };
  const health = () => Promise.resolve({ ...unreportedHealth, latest });
  const shown = renderPart(<ContextHealthRing sessionId={1} due={due} />, backendWith({ health }));
  const levelName = level === 'unavailable' ? 'unknown' : level;
  const words = due === null ? levelName : 'compaction due';
  const image = await screen.findByRole('img', { name: `Context health: ${words}` });
  await waitFor(() => {
    expect(image).toHaveAccessibleDescription(/limit/);
  });
  return { ...shown, image };
}

it('names in the health what its ticks stand at', async () => {
  const { image, user } = await pie('healthy', { prompt: 820, hardUtil: 0.1 });
  const numbers =
    'last request: 820 tokens, reported by the provider · limit 8,192 · 10.0% · caution above 6,553 · critical above 7,372';
  const reason = 'the last request leaves enough room';
  expect(image).toHaveAccessibleDescription(`${reason} · ${numbers}`);
  expect(image.querySelectorAll('line')).toHaveLength(2);
  await user.hover(image);
  expect((await screen.findByText(/^healthy: /)).textContent).toBe(
    `healthy: ${reason}\n${numbers}`,
  );
});

it('d16: says that a compaction is due in the place of "healthy", not beside it', async () => {
  const { image, user } = await pie('healthy', { prompt: 820, hardUtil: 0.1 }, 'compaction');
  expect(image).toHaveAttribute('data-level', 'due');
  await user.hover(image);
  expect(
    await screen.findByText(
      /^compaction due: above the compaction threshold: the next message compacts first/,
    ),
  ).toBeVisible();
  expect(screen.queryByText(/healthy/)).toBeNull();
});

it.each([
  ['caution', 6_600, /^this model works best below 6,553 tokens, and the last request had more · /],
  ['critical', 7_400, /^the window is nearly full: the last request had more than 7,372 tokens · /],
] as const)('d16: says why the health is "%s"', async (level, prompt, reason) => {
  const { image } = await pie(level, { prompt, hardUtil: prompt / 8_192 });
  expect(image).toHaveAccessibleDescription(reason);
});

it('draws no ticks around the question of how large the context is', async () => {
  const { image } = await pie('unavailable', {});
  expect(image.querySelectorAll('line')).toHaveLength(0);
});
