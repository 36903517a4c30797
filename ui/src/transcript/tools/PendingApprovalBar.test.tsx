import { act, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import type { ApprovalRequest } from '../../ipc/bindings';
import { LiveRegionProvider } from '../../kit/notifications/LiveRegion';
import { turnStore } from '../../state/turn/turnStore';
import { PendingApprovalBar } from './PendingApprovalBar';
import { ToolApproval } from './ToolApproval';

const question: ApprovalRequest = {
  messageId: 7,
  callId: 'c',
  tool: 'edit_file',
  effect: 'writes',
  grant: 'edit_file',
  preview: null,
};
const words = 'edit_file is waiting for your answer.';

let scrolled: (isIntersecting: boolean) => void = () => undefined;

/** An IntersectionObserver whose entries the test controls. */
class Observer {
  constructor(tell: (entries: readonly { isIntersecting: boolean }[]) => void) {
    scrolled = (isIntersecting) => {
      tell([{ isIntersecting }]);
    };
  }
  observe = () => undefined;
  disconnect = () => undefined;
}

beforeEach(() => {
  Element.prototype.scrollIntoView = () => undefined;
  vi.stubGlobal('IntersectionObserver', Observer);
  turnStore.begin(1);
  turnStore.set(1, { ...turnStore.get(1), questions: [question] });
});
afterEach(() => {
  vi.unstubAllGlobals();
  turnStore.end(1, turnStore.begin(1), null);
});

const open = (onShow: (message: number) => void, inPage: boolean) => (
  <LiveRegionProvider>
    {inPage && <ToolApproval question={question} sessionId={1} />}
    <PendingApprovalBar sessionId={1} onShow={onShow} />
  </LiveRegionProvider>
);

it('says that a tool waits where its question is not in view, and leads to it', async () => {
  const onShow = vi.fn();
  const { user, rerender } = renderPart(open(onShow, false));
  expect(document.querySelector('[aria-live]')).toHaveTextContent(words);
  await user.click(screen.getByRole('button', { name: 'To the question' }));
  expect(onShow).toHaveBeenCalledExactlyOnceWith(7);
  rerender(open(onShow, true));
  act(() => {
    scrolled(false);
  });
  expect(screen.getByRole('group', { name: 'Permission' })).toHaveFocus();
  act(() => {
    scrolled(true);
  });
  expect(screen.queryByRole('button', { name: 'To the question' })).toBeNull();
  act(() => {
    scrolled(false);
  });
  expect(screen.getByRole('button', { name: 'To the question' })).toBeVisible();
});

it('asks for no other row where the question is in the page already', async () => {
  const onShow = vi.fn();
  const { user } = renderPart(open(onShow, true));
  await user.click(screen.getByRole('button', { name: 'To the question' }));
  expect(screen.getByRole('group', { name: 'Permission' })).toHaveFocus();
  expect(onShow).not.toHaveBeenCalled();
});
