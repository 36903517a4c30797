import { act, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { answering, show } from '../../test-show';
import type { ToolState } from '../ipc/bindings';
import { plainMessage } from '../ipc/plainConversation';
import { follow } from '../state/following';
import { turns } from '../state/turn';
import { Writing } from './Writing';

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
    turns.set(1, follow(turns.get(1), event, 0));
  });
};

afterEach(() => {
  act(() => {
    turns.end(1, turns.begin(1), null);
  });
});

it('says how much of a long argument is written, and nothing of a short one', () => {
  turns.begin(1);
  turns.set(1, follow(turns.get(1), { type: 'message', message: plainMessage(7, {}) }, 0));
  const { rerender } = show(
    <Writing messageId={7} call={call({ type: 'pending' })} sessionId={1} />,
    answering({}),
  );
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
  written(120);
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
  written(12_040);
  expect(screen.getByText('writing its arguments… 12k characters')).toBeVisible();
  rerender(<Writing messageId={7} call={call({ type: 'running', startedAt: 1 })} sessionId={1} />);
  expect(screen.queryByText(/writing its arguments/)).toBeNull();
});
