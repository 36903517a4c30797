import { act, screen, within } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ToolCall } from '../../ipc/bindings';
import { turnStore } from '../../state/turn/turnStore';
import { ToolPart } from './ToolPart';

const call: ToolCall = {
  callId: 'c',
  name: 'read_file',
  args: '{"path":"<b>notes</b>.md"}',
  signature: null,
  state: { type: 'denied' },
};

afterEach(() => {
  act(() => {
    turnStore.end(1, turnStore.begin(1), null);
  });
});

it('names a call by its tool, by what it is about where that is told, and by how far it has come', () => {
  const { rerender } = renderPart(<ToolPart messageId={7} call={call} sessionId={1} />);
  const named = (name: string) => screen.getByRole('button', { name });
  expect(named('read_file · <b>notes</b>.md · denied')).toBeVisible();
  rerender(<ToolPart messageId={7} call={{ ...call, args: '{}' }} sessionId={1} />);
  expect(named('read_file · denied')).toBeVisible();
});

it('asks about the call that waits, and about none of another reply that has its id', async () => {
  turnStore.begin(1);
  const asks = { callId: 'c', tool: 'read_file', grant: 'read_file', preview: null } as const;
  const question = { ...asks, messageId: 9, effect: 'readOnly' } as const;
  const progress = { '9/c': 'Half of it' };
  turnStore.set(1, { ...turnStore.get(1), questions: [question], progress });
  const running: ToolCall = { ...call, state: { type: 'running', startedAt: 1 } };
  const { user } = renderPart(
    <>
      <section aria-label="Earlier">
        <ToolPart messageId={7} call={running} sessionId={1} />
      </section>
      <section aria-label="Later">
        <ToolPart messageId={9} call={running} sessionId={1} />
      </section>
    </>,
  );
  const earlier = within(screen.getByRole('region', { name: 'Earlier' }));
  const later = within(screen.getByRole('region', { name: 'Later' }));
  expect(earlier.queryByRole('group', { name: 'Permission' })).toBeNull();
  expect(earlier.queryByText('Half of it')).toBeNull();
  expect(later.getByRole('group', { name: 'Permission' })).toBeVisible();
  expect(later.getByText('Half of it')).toBeVisible();

  await user.click(later.getByRole('button', { name: /read_file/ }));
  expect(later.getByRole('button', { name: /read_file/ })).toHaveAttribute('aria-expanded', 'true');
  expect(earlier.getByRole('button', { name: /read_file/ })).toHaveAttribute(
    'aria-expanded',
    'false',
  );
});

it('lets the keyboard scroll what went in and what came out', async () => {
  const state = { type: 'failed' as const, message: 'no such file' };
  const { user } = renderPart(<ToolPart messageId={7} call={{ ...call, state }} sessionId={1} />);
  await user.click(screen.getByRole('button', { name: /^read_file/ }));
  await user.tab();
  expect(screen.getByText(/notes/, { selector: 'pre' })).toHaveFocus();
  await user.tab();
  expect(screen.getByText('no such file')).toHaveFocus();
});

it('cuts a result of one endless line into parts that the webview can show', async () => {
  const output = { text: 'x'.repeat(100_000), withheld: false, whole: null, pictures: [] };
  const done: ToolCall = { ...call, state: { type: 'done', output } };
  const { user } = renderPart(<ToolPart messageId={7} call={done} sessionId={1} />);
  await user.click(screen.getByRole('button', { name: /read_file/ }));
  const result = screen.getByLabelText('What it returned');
  expect(result.textContent).toBe(output.text);
  for (const { textContent } of result.querySelectorAll('span'))
    expect(textContent.length).toBeLessThan(10_000);
  expect(result.querySelectorAll('span').length).toBeGreaterThan(10);
});

it('w06 says what an output took that a later read of the file replaces, on its own call alone', async () => {
  const output = { text: 'wool', whole: null, withheld: false };
  const done: ToolCall = { ...call, state: { type: 'done', output } };
  const backend = backendWith({
    supersededReads: () => Promise.resolve([{ messageId: 7, callId: 'c', tokens: 1234 }]),
  });
  renderPart(
    <>
      <section aria-label="Earlier">
        <ToolPart messageId={7} call={done} sessionId={1} />
      </section>
      <section aria-label="Later">
        <ToolPart messageId={9} call={done} sessionId={1} />
      </section>
    </>,
    backend,
  );
  const earlier = within(screen.getByRole('region', { name: 'Earlier' }));
  expect(await earlier.findByText(/took 1,234 tokens.*read again/)).toBeVisible();
  expect(
    within(screen.getByRole('region', { name: 'Later' })).queryByText(/read again/),
  ).toBeNull();
});
