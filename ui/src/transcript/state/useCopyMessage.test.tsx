import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Message } from '../../ipc/bindings';
import { assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { useCopyMessage } from './useCopyMessage';

function Copy({ message }: { message: Message }) {
  const copy = useCopyMessage();
  return <CopyButton label="Copy" copy={() => copy(message)} />;
}

function copying(role: Message['role'], takesHtml = true) {
  const message = assistantMessage(1, { role, parts: [{ type: 'text', text: '**Wool** <b>' }] });
  const formatted = vi.fn(() => Promise.resolve('<p><strong>Wool</strong> &lt;b&gt;</p>'));
  const backend = backendWith({ formatted });
  const plain = vi.spyOn(backend.desktop, 'copyText');
  const both = vi.spyOn(backend.desktop, 'copyFormatted');
  if (!takesHtml) both.mockRejectedValue(new Error('no HTML here'));
  return { ...renderPart(<Copy message={message} />, backend), plain, both, formatted };
}

const press = () => screen.getByRole('button', { name: 'Copy' });

it('copies a reply as its Markdown, and beside it as the HTML that Rust makes of that', async () => {
  const { user, plain, both, formatted } = copying('assistant');
  await user.click(press());
  expect(formatted).toHaveBeenCalledExactlyOnceWith('**Wool** <b>');
  expect(both).toHaveBeenCalledExactlyOnceWith(
    '**Wool** <b>',
    '<p><strong>Wool</strong> &lt;b&gt;</p>',
  );
  expect(plain).not.toHaveBeenCalled();
});

it('copies the words of a reply alone where the desktop takes nothing formatted', async () => {
  const { user, plain } = copying('assistant', false);
  await user.click(press());
  expect(plain).toHaveBeenCalledExactlyOnceWith('**Wool** <b>');
});

it('copies what a person wrote as they wrote it', async () => {
  const { user, plain, formatted } = copying('user');
  await user.click(press());
  expect(plain).toHaveBeenCalledExactlyOnceWith('**Wool** <b>');
  expect(formatted).not.toHaveBeenCalled();
});
