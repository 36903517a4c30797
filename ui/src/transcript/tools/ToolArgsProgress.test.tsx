import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ToolState } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { reduceTurn } from '../../state/turn/turnReducer';
import { turnStore } from '../../state/turn/turnStore';
import { ToolArgsProgress } from './ToolArgsProgress';

const call = (state: ToolState) => ({
  callId: 'c',
  name: 'write_file',
  args: '',
  signature: null,
  state,
});

const written = (chars: number) => {
  const event = { type: 'arguments' as const, messageId: 7, callId: 'c', chars };
  act(() => {
    turnStore.set(1, reduceTurn(turnStore.get(1), event, 0));
  });
};

afterEach(() => {
  act(() => {
    turnStore.end(1, turnStore.begin(1), null);
  });
});

it('says how much of a long argument is written, and nothing of a short one', () => {
  turnStore.begin(1);
  turnStore.set(
    1,
    reduceTurn(turnStore.get(1), { type: 'message', message: assistantMessage(7, {}) }, 0),
  );
  const { rerender } = renderPart(
    <ToolArgsProgress messageId={7} call={call({ type: 'pending' })} sessionId={1} />,
    backendWith({}),
  );
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
  written(120);
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
  written(12_040);
  expect(screen.getByText('writing its arguments… 12k characters')).toBeVisible();
  rerender(
    <ToolArgsProgress messageId={7} call={call({ type: 'running', startedAt: 1 })} sessionId={1} />,
  );
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
});
