import { fireEvent } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { SessionItem } from '../../ipc/bindings';
import { idleSessionItem } from '../../../test/fixtures/conversationFixtures';
import { renderPart } from '../../../test/render';
import { useSessionKeys } from './useSessionKeys';

const session = (id: number): SessionItem => ({ ...idleSessionItem, id, name: `Wool ${id}` });
const sessions = [session(5), session(7), session(6)];

function pressing(open: number | null, key: string) {
  const to = { toSession: vi.fn(), onOverlay: vi.fn() };
  function Keys() {
    useSessionKeys(sessions, open, to);
    return null;
  }
  const { unmount } = renderPart(<Keys />);
  fireEvent.keyDown(document.body, { key, ctrlKey: key !== 'F2' });
  unmount();
  return to;
}

it.each([
  [5, 'PageDown', 7],
  [7, 'PageDown', 6],
  [6, 'PageUp', 7],
])('steps from session %i by %s to session %i, as they stand in the list', (open, key, next) => {
  expect(pressing(open, key).toSession).toHaveBeenCalledExactlyOnceWith(next);
});

it('stays where the list ends, and where no session is open', () => {
  expect(pressing(6, 'PageDown').toSession).not.toHaveBeenCalled();
  expect(pressing(5, 'PageUp').toSession).not.toHaveBeenCalled();
  expect(pressing(null, 'PageDown').toSession).not.toHaveBeenCalled();
});

it('renames the open session', () => {
  const opened = { type: 'rename', session: sessions[1] };
  expect(pressing(7, 'F2').onOverlay).toHaveBeenCalledExactlyOnceWith(opened);
  expect(pressing(null, 'F2').onOverlay).not.toHaveBeenCalled();
});
