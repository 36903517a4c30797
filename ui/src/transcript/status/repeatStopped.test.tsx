import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { dollarStop } from '../../../test/fixtures/budgetFixtures';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend, TurnChannel } from '../../ipc';
import type {
  CompactionStatus,
  MessageId,
  ModelRef,
  SessionId,
  TurnEnd,
  TurnEvent,
} from '../../ipc/bindings';
import { useCompactionActions } from '../../state/turn/useCompactionActions';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { CompactionBar } from '../compaction/CompactionBar';
import { TurnStatus } from './TurnStatus';

const nothing = () => undefined;
const model = { provider: 'loom', model: 'weaver-1' };
const overBudget = { kind: 'overBudget', stop: dollarStop } as const;

function Starts() {
  const { regenerate } = useSessionActions(1);
  const { compact, renewSummary } = useCompactionActions(1);
  return (
    <>
      <button onClick={() => void regenerate(8, model)}>Regenerate</button>
      <button onClick={() => void compact(null, 'the names')}>Compact</button>
      <button onClick={() => void renewSummary(7)}>Renew</button>
      <CompactionBar sessionId={1} readOnly={false} onEstimate={nothing} />
      <TurnStatus sessionId={1} readOnly={false} onEstimate={nothing} onProvider={nothing} />
    </>
  );
}

/** Starts something, waits for the question of the budget and answers yes. */
async function startAndAllow(start: string, commands: Partial<Backend['commands']>) {
  const allowOverBudget = () => Promise.resolve(null);
  const { user } = renderPart(<Starts />, backendWith({ allowOverBudget, ...commands }));
  await user.click(screen.getByRole('button', { name: start }));
  const yes = await screen.findByRole('button', { name: /^Allow / });
  await act(() => new Promise((resolve) => setTimeout(resolve, 700)));
  await user.click(yes);
}

function stoppedRegenerate(isBegun: boolean) {
  const ends: TurnEnd[] = [{ type: 'failed', error: overBudget }];
  return {
    regenerate: vi.fn(
      (_session: SessionId, _answer: MessageId, _by: ModelRef | null, channel: TurnChannel) => {
        const { hear } = channel as unknown as { hear: (event: TurnEvent) => void };
        if (isBegun) hear({ type: 'message', message: assistantMessage(9) });
        return Promise.resolve(ends.shift() ?? ({ type: 'answered' } as const));
      },
    ),
    continueReply: vi.fn(() => Promise.resolve({ type: 'answered' } as const)),
    stop: () => Promise.resolve(null),
    watch: () => Promise.resolve(false),
  };
}

it('c04: a yes after a stopped regenerate asks the same model for the same reply', async () => {
  const commands = stoppedRegenerate(false);
  await startAndAllow('Regenerate', commands);
  await waitFor(() => {
    expect(commands.regenerate).toHaveBeenCalledTimes(2);
  });
  expect(commands.regenerate.mock.lastCall?.slice(0, 3)).toEqual([1, 8, model]);
  expect(commands.continueReply).not.toHaveBeenCalled();
});

it('c04: a yes continues a turn that has stored a message', async () => {
  const commands = stoppedRegenerate(true);
  await startAndAllow('Regenerate', commands);
  await waitFor(() => {
    expect(commands.continueReply).toHaveBeenCalledOnce();
  });
  expect(commands.regenerate).toHaveBeenCalledOnce();
});

it.each(['Compact', 'Renew'])(
  'c04: a yes after a stopped summary starts it again: %s',
  async (start) => {
    const status: CompactionStatus = { type: 'failed', error: overBudget };
    const commands = {
      compactionStatus: () => Promise.resolve(status),
      compact: vi.fn(() => Promise.resolve(null)),
      renewSummary: vi.fn(() => Promise.resolve(null)),
    };
    await startAndAllow(start, commands);
    const [asked, other] =
      start === 'Compact'
        ? [commands.compact, commands.renewSummary]
        : [commands.renewSummary, commands.compact];
    await waitFor(() => {
      expect(asked).toHaveBeenCalledTimes(2);
    });
    expect(other).not.toHaveBeenCalled();
    if (start === 'Compact') expect(asked).toHaveBeenLastCalledWith(1, null, 'the names');
  },
);
