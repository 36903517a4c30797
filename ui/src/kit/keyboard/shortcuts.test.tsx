import { fireEvent, render, screen } from '@testing-library/react';
import { describe, expect, test, vi } from 'vitest';
import { Dialog } from '../overlays/Dialog';
import { matchesKeys, useShortcut, useShortcuts } from './shortcuts';

function Keys({ keys, label, run }: { keys: string; label: string; run: () => void }) {
  useShortcut(keys, label, run);
  return null;
}

function List() {
  return <output>{useShortcuts().map(({ keys, label }) => `${keys} ${label};`)}</output>;
}

const key = (init: KeyboardEventInit) => new KeyboardEvent('keydown', init);

describe('keys', () => {
  test.each([
    ['Mod+K', { key: 'k', ctrlKey: true }, true],
    ['Mod+K', { key: 'K', ctrlKey: true }, true],
    ['Mod+K', { key: 'k' }, false],
    ['Mod+K', { key: 'k', ctrlKey: true, shiftKey: true }, false],
    ['Mod+K', { key: 'k', ctrlKey: true, altKey: true }, false],
    ['Mod+K', { key: 'k', metaKey: true }, false],
    ['Mod+K', { key: 'л', code: 'KeyK', ctrlKey: true }, true],
    // On Dvorak the key at the place of K types another letter, which is the one that counts.
    ['Mod+K', { key: 't', code: 'KeyK', ctrlKey: true }, false],
    ['Mod+,', { key: ',', ctrlKey: true }, true],
    // On a German layout the slash is typed with Shift.
    ['Mod+/', { key: '/', ctrlKey: true, shiftKey: true }, true],
    ['Mod++', { key: '+', ctrlKey: true, shiftKey: true }, true],
    ['Mod++', { key: '=', ctrlKey: true }, true],
    ['Mod++', { key: '-', ctrlKey: true }, false],
    ['Mod+-', { key: '-', ctrlKey: true }, true],
    ['Mod+Shift+C', { key: 'C', ctrlKey: true, shiftKey: true }, true],
  ] as const)('%s is %j: %s', (keys, init, expected) => {
    expect(matchesKeys(keys, key(init))).toBe(expected);
  });
});

test('the newest registration runs, and the older one again when it is gone', () => {
  const older = vi.fn();
  const newer = vi.fn();
  const { rerender } = render(
    <>
      <Keys keys="Mod+B" label="Sidebar" run={older} />
      <Keys keys="Mod+B" label="Bold" run={newer} />
    </>,
  );
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  rerender(<Keys keys="Mod+B" label="Sidebar" run={older} />);
  fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
  expect([newer.mock.calls.length, older.mock.calls.length]).toEqual([1, 1]);
});

test('the keys of an input method are left alone', () => {
  const run = vi.fn();
  render(<Keys keys="Mod+N" label="New session" run={run} />);
  fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true, isComposing: true });
  fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true, keyCode: 229 });
  expect(run).not.toHaveBeenCalled();
});

test('behind a dialog nothing reacts', () => {
  const run = vi.fn();
  render(
    <>
      <Keys keys="Mod+N" label="New session" run={run} />
      <Dialog title="Settings" onClose={vi.fn()}>
        words
      </Dialog>
    </>,
  );
  fireEvent.keyDown(document.body, { key: 'n', ctrlKey: true });
  expect(run).not.toHaveBeenCalled();
});

test('but for what is needed everywhere', () => {
  const run = vi.fn();
  function Zoom() {
    useShortcut('Mod+0', 'Usual size', run, 'everywhere');
    return null;
  }
  render(
    <>
      <Zoom />
      <Dialog title="Settings" onClose={vi.fn()}>
        words
      </Dialog>
    </>,
  );
  fireEvent.keyDown(document.body, { key: '0', ctrlKey: true });
  expect(run).toHaveBeenCalledOnce();
});

test('the list shows what can be pressed now', () => {
  render(
    <>
      <Keys keys="Mod+N" label="New session" run={vi.fn()} />
      <List />
    </>,
  );
  expect(screen.getByRole('status')).toHaveTextContent('Mod+N New session;');
});

test('what the webview would do as a browser it does not, and what is typed arrives', () => {
  render(<Keys keys="Mod+K" label="Search" run={vi.fn()} />);
  const left = (init: KeyboardEventInit) => fireEvent.keyDown(document.body, init);
  for (const init of [
    { key: 'F5' },
    { key: 'r', ctrlKey: true },
    { key: 'f', ctrlKey: true },
    { key: 'ArrowLeft', altKey: true },
  ])
    expect(left(init)).toBe(false);
  for (const init of [
    { key: 'r' },
    { key: 'c', ctrlKey: true },
    { key: 'ArrowLeft' },
    // AltGr on Windows.
    { key: 'f', ctrlKey: true, altKey: true },
  ])
    expect(left(init)).toBe(true);
});
