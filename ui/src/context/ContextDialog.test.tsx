import { screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../test/render';
import type {
  Breakdown,
  ContextEstimate,
  HealthSnapshot,
  BreakdownRow,
  ToolView,
} from '../ipc/bindings';
import { emptySession } from '../../test/fakeBackend';
import { unreportedHealth, unknownWindowNumbers } from '../../test/fixtures/healthFixtures';
import { useCompactionStatus } from '../state/queries/queries';
import { ContextDialog } from './ContextDialog';
import { emptyBreakdown as breakdown } from '../../test/fixtures/breakdownFixtures';
import { unknownMessageCost } from '../../test/fixtures/costFixtures';

it('has words where the breakdown will stand, and where it could not be made', async () => {
  let answer: (made: Breakdown) => void = () => undefined;
  const making = new Promise<Breakdown>((resolve) => {
    answer = resolve;
  });
  const dialog = <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />;
  const { unmount } = renderPart(dialog, backendWith({ breakdown: () => making }));
  expect(await screen.findByText('Loading…')).toBeInTheDocument();
  answer(breakdown);
  expect(await screen.findByRole('table', { name: 'Context breakdown' })).toBeInTheDocument();
  await waitFor(() => {
    expect(screen.queryByText('Loading…')).toBeNull();
  });
  unmount();
  const locked = () => Promise.reject(Object.assign(new Error(), { kind: 'noModel' }));
  renderPart(dialog, backendWith({ breakdown: locked }));
  expect(await screen.findByText(/No model is chosen/)).toBeInTheDocument();
});

it('shows no figure, and no switch turned, before they are known', async () => {
  let answer: (estimate: ContextEstimate) => void = () => undefined;
  const estimating = new Promise<ContextEstimate>((resolve) => {
    answer = resolve;
  });
  renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({ estimate: () => estimating }),
  );
  const rows = () => screen.getAllByRole('definition').map(({ textContent }) => textContent);
  const auto = () => screen.getByRole('switch', { name: 'Auto-compaction (this session)' });
  await screen.findByRole('dialog');
  expect(rows()).toEqual(['…', '…', '…']);
  expect(auto()).toBeChecked();
  expect(auto()).toBeDisabled();
  answer({
    used: { tokens: 820, basis: 'exact' },
    limit: { value: 8_200, source: 'provider' },
    window: null,
    spread: null,
    cost: unknownMessageCost,
    actsAt: null,
    actsShare: null,
    due: null,
    model: emptySession.model,
  });
  await waitFor(() => {
    expect(rows()).toEqual([
      '820 tokens (counted exactly)',
      '8,200 tokens (reported by the provider)',
      '10.0%',
    ]);
  });
  expect(auto()).toBeEnabled();
});

it('says that the last report tells of this context no more, where that is so', async () => {
  const { latest } = unreportedHealth;
  const reported: HealthSnapshot = { ...latest, level: 'critical', prompt: 7_900 };
  const healthHistory = vi.fn(() => Promise.resolve([{ at: 0, health: reported, cached: null }]));
  const health = (now: HealthSnapshot) => {
    const view = { ...unreportedHealth, latest: now };
    return backendWith({ health: () => Promise.resolve(view), healthHistory });
  };
  const dialog = <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />;
  const forgotten = /no longer describes this context/;
  const { user, unmount } = renderPart(dialog, health(reported));
  const chart = await screen.findByRole('button', { name: 'Health of this thread' });
  expect(healthHistory).not.toHaveBeenCalled();
  await user.click(chart);
  expect(await screen.findByRole('img', { name: /7,900 tokens/ })).toBeInTheDocument();
  expect(screen.getByText('limit 8.2k')).toHaveAttribute('title', '8,192 tokens');
  expect(screen.queryByText(forgotten)).toBeNull();
  unmount();
  renderPart(dialog, health(latest));
  await user.click(await screen.findByRole('button', { name: 'Health of this thread' }));
  expect(await screen.findByText(forgotten)).toBeInTheDocument();
});

it('says of a number how it was come by: how far an estimate may be off, and what is no report', async () => {
  const of = (estimate: Pick<ContextEstimate, 'used' | 'spread'>) => {
    const rest = {
      limit: null,
      window: null,
      actsAt: null,
      actsShare: null,
      due: null,
      cost: unknownMessageCost,
      model: emptySession.model,
    };
    const mode = { type: 'reported', total: 900, cached: null } as const;
    return renderPart(
      <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
      backendWith({
        estimate: () => Promise.resolve({ ...estimate, ...rest }),
        breakdown: () => Promise.resolve({ ...breakdown, mode }),
      }),
    );
  };
  const exactly = of({ used: { tokens: 820, basis: 'calibrated' }, spread: 0 });
  expect(await screen.findByText('(estimated)')).toBeInTheDocument();
  exactly.unmount();
  const { unmount } = of({ used: { tokens: 820, basis: 'calibrated' }, spread: 6 });
  expect(await screen.findByText('(estimated, ± 6%)')).toBeInTheDocument();
  expect(
    await screen.findByText('The last request: 900 tokens, reported by the provider'),
  ).toBeInTheDocument();
  expect(
    screen.getByText(/^How they divide into rows is estimated\. The reply to it is not among/),
  ).toBeInTheDocument();
  unmount();
  of({ used: { tokens: 820, basis: 'borrowed' }, spread: null });
  expect(
    await screen.findByText('(estimated, not yet checked against the provider’s count)'),
  ).toBeInTheDocument();
});

it('asks once for a window that nobody knows, beside what can be used instead', async () => {
  const limit = {
    limit: null,
    window: null,
    actsAt: null,
    actsShare: null,
    due: null,
    spread: null,
    cost: unknownMessageCost,
  };
  const used = { tokens: 820, basis: 'exact' } as const;
  const { user } = renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({
      estimate: () => Promise.resolve({ ...limit, used, model: emptySession.model }),
      strategies: () => Promise.resolve(unknownWindowNumbers),
    }),
  );
  await user.click(await screen.findByRole('button', { name: /^When the context fills up: / }));
  expect(screen.getByText(/^The context window of weaver-1 is unknown/)).toBeVisible();
  const ways = screen.getByRole('button', { name: 'Set its window' }).parentElement;
  expect(within(ways ?? document.body).getByRole('button', { name: 'Use 96,000' })).toBeVisible();
});

it('gives every row of the breakdown the colour that it has in the bar', async () => {
  const row: BreakdownRow = { kind: 'messages', tokens: 6_000, parts: [] };
  const free: BreakdownRow = { kind: 'autocompactBuffer', tokens: 2_000, parts: [] };
  const mode = { type: 'reported', total: 6_000, cached: null } as const;
  renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({ breakdown: () => Promise.resolve({ ...breakdown, mode, rows: [row, free] }) }),
  );
  const table = await screen.findByRole('table', { name: 'Context breakdown' });
  const [name, buffer] = within(table).getAllByRole('rowheader');
  expect(name?.querySelector('.Breakdown-mark')).toHaveAttribute('data-kind', 'messages');
  expect(buffer?.querySelector('.Breakdown-mark')).toHaveAttribute(
    'data-kind',
    'autocompactBuffer',
  );
});

/** The status of the last compaction. */
function Status() {
  return <p>{`It is ${useCompactionStatus(1).data?.type ?? 'unknown'}.`}</p>;
}

it('says why nothing was compacted where it lies over the bar that does, but not what the person did', async () => {
  const ended = (reason: 'notShorter' | 'cancelled') =>
    backendWith({
      compactionStatus: () =>
        Promise.resolve({ type: 'failed', error: { kind: 'notCompacted', reason } }),
    });
  const dialog = <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />;
  const { unmount } = renderPart(dialog, ended('notShorter'));
  expect(await screen.findByText(/The summary was not shorter/)).toBeInTheDocument();
  unmount();
  renderPart(
    <>
      {dialog}
      <Status />
    </>,
    ended('cancelled'),
  );
  await screen.findByText('It is failed.');
  expect(screen.queryByText(/cancelled/)).toBeNull();
});

const narrowed: ContextEstimate = {
  used: { tokens: 136_000, basis: 'exact' },
  limit: { value: 272_000, source: 'catalogue' },
  window: 400_000,
  spread: null,
  cost: unknownMessageCost,
  actsAt: 163_200,
  actsShare: null,
  due: null,
  model: emptySession.model,
};

const numbered = (changes: Partial<ContextEstimate>) =>
  renderPart(
    <ContextDialog
      view={emptySession}
      threadId={emptySession.session.currentThread}
      onClose={() => undefined}
    />,
    backendWith({ estimate: () => Promise.resolve({ ...narrowed, ...changes }) }),
  );

it('measures by what a prompt may take, and says of how large a window that is', async () => {
  numbered({});
  expect(await screen.findByText('50.0%', { selector: 'dd' })).toBeInTheDocument();
  const rows = screen.getAllByRole('definition').map(({ textContent }) => textContent);
  expect(rows[1]).toBe(
    '272,000 tokens (from the catalogue of models) for what is sent, out of a window of 400,000',
  );
  expect(screen.getByRole('meter', { name: 'Context usage' })).toHaveAttribute(
    'aria-valuemax',
    '272000',
  );
  const acts = screen.getByText('compacts at 163,200');
  expect(acts).toHaveTextContent('▲ compacts at 163,200');
});

it('d16: says why the health is as it is, and why the next message compacts', async () => {
  const { unmount } = numbered({});
  expect(await screen.findByText('Context health: unknown')).toHaveTextContent(
    'Context health: unknown (the provider has not counted this context yet)',
  );
  unmount();
  numbered({ due: { type: 'compaction' } });
  expect(await screen.findByText(/^Context health: unknown · compaction due/)).toHaveTextContent(
    /\(above the compaction threshold: the next message compacts first\)$/,
  );
});

it('q10: explains what stays free', async () => {
  const row: BreakdownRow = { kind: 'autocompactBuffer', tokens: 2_000, parts: [] };
  const { user } = renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({ breakdown: () => Promise.resolve({ ...breakdown, rows: [row] }) }),
  );
  await user.click(await screen.findByRole('button', { name: 'Kept free' }));
  expect(screen.getByText(/^Room for the answer/)).toBeVisible();
});

it('keeps the name of the switch while a compaction runs, and says that it waits', async () => {
  const progress = { threadId: 1, pieces: 1, piece: 1, text: '', model: null, unstored: null };
  renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({ compactionStatus: () => Promise.resolve({ type: 'running', progress }) }),
  );
  const auto = await screen.findByRole('switch', { name: 'Auto-compaction (this session)' });
  await waitFor(() => {
    expect(auto).toHaveAccessibleDescription('Compacting…');
  });
  expect(auto).toBeDisabled();
});

it('fr_1_2: says of what the mark on the bar is a share', async () => {
  const { unmount } = numbered({ actsAt: 2_457, actsShare: { percent: 60, of: 4_096 } });
  expect(await screen.findByText('compacts at 2,457')).toHaveTextContent(
    '▲ compacts at 2,457 (60% of the 4,096 tokens left after room for the answer)',
  );
  unmount();
  numbered({ actsAt: null, actsShare: null });
  await screen.findByText('50.0%', { selector: 'dd' });
  expect(screen.queryByText(/room for the answer/)).toBeNull();
});

it('q11: marks the messages as estimated where the provider has not counted them', async () => {
  const row: BreakdownRow = {
    kind: 'messages',
    tokens: 3_506,
    parts: [{ label: { type: 'draft' }, tokens: 3_506 }],
  };
  const table = async () => {
    const found = await screen.findByRole('table', { name: 'Context breakdown' });
    return within(found).getByRole('rowheader');
  };
  const dialog = (mode: Breakdown['mode']) =>
    renderPart(
      <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
      backendWith({ breakdown: () => Promise.resolve({ ...breakdown, mode, rows: [row] }) }),
    );
  const { unmount } = dialog({ type: 'estimated' });
  expect(await table()).toHaveTextContent('Messages (estimated)');
  expect(screen.getByText(/All numbers here are estimates/)).toBeInTheDocument();
  unmount();
  dialog({ type: 'reported', total: 3_506, cached: null });
  expect(await table()).toHaveTextContent(/^Messages(?! \(estimated)/);
});

it('says of what cannot be compacted where that happens instead, or that it does not', async () => {
  const stuck = { type: 'stuck', floor: 1_500, limit: 1_228 } as const;
  const { unmount } = numbered({
    actsAt: 3_072,
    actsShare: null,
    due: { ...stuck, instead: 3_072 },
  });
  const until =
    'There is too little to compact: at least 1,500 tokens would remain, more than the compaction threshold of 1,228.';
  expect(await screen.findByText(`${until} Compacts at 3,072 instead.`)).toBeInTheDocument();
  expect(screen.queryByText(/^compacts at/)).toBeNull();
  unmount();
  numbered({ actsAt: null, actsShare: null, due: { ...stuck, instead: null } });
  expect(await screen.findByText(until)).toBeInTheDocument();
});

it('names below the breakdown the tools that are left out of the request', async () => {
  const tool: ToolView = {
    name: 'loom__weave',
    description: '',
    family: 'mcp',
    on: true,
    declared: false,
    leftOut: true,
    deferred: false,
    tokens: 90_000,
    outputLimit: 30_000,
  };
  const sent = { ...tool, name: 'loom__spin', declared: true, leftOut: false };
  renderPart(
    <ContextDialog view={emptySession} threadId={1} onClose={() => undefined} />,
    backendWith({
      breakdown: () => Promise.resolve(breakdown),
      tools: () => Promise.resolve([sent, tool]),
    }),
  );
  expect(await screen.findByText(/tools are not sent.*: loom__weave\./)).toBeInTheDocument();
});
