import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../test-show';
import type { ToolCall } from '../ipc/bindings';
import { ToolPart } from './ToolPart';

const call: ToolCall = {
  callId: 'c',
  name: 'read_file',
  args: '{"path":"<b>notes</b>.md"}',
  signature: null,
  state: { type: 'denied' },
};

it('names a call by its tool, by what it is about where that is told, and by how far it has come', () => {
  const { rerender } = show(<ToolPart call={call} sessionId={1} />);
  const named = (name: string) => screen.getByRole('button', { name });
  expect(named('read_file · <b>notes</b>.md · denied')).toBeVisible();
  rerender(<ToolPart call={{ ...call, args: '{}' }} sessionId={1} />);
  expect(named('read_file · denied')).toBeVisible();
});
