import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRef, useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ApprovalPreview } from '../../ipc/bindings';
import { useFocusHome } from '../../kit/a11y/focus';
import { stableForMs } from '../../kit/a11y/useStablePosition';
import { ToolApproval } from './ToolApproval';

/** Of whatever is shown, time has passed. */
let passed = 0;
const standsStill = () => {
  passed += stableForMs;
};
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => passed);
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** A question that is there until it is answered. */
function Asked() {
  const [asks, setAsks] = useState(true);
  const box = useRef<HTMLInputElement>(null);
  useFocusHome(box);
  return (
    <>
      <input ref={box} aria-label="Box" />
      <button
        onClick={() => {
          setAsks(false);
        }}
      >
        Hear the answer
      </button>
      {asks && (
        <ToolApproval
          sessionId={1}
          question={{
            messageId: 7,
            callId: 'c',
            tool: 'write_file',
            effect: 'writes',
            grant: 'write_file',
            preview: null,
          }}
        />
      )}
    </>
  );
}

it('says where an answer could not be given', async () => {
  const answerTool = () => Promise.reject(Object.assign(new Error(), { kind: 'busy' }));
  const { user } = renderPart(<Asked />, backendWith({ answerTool }));
  standsStill();
  await user.click(screen.getByRole('button', { name: 'Allow once' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('A reply is already on its way');
});

it('puts the answers for this one call before those that last', () => {
  renderPart(<Asked />);
  const answers = within(screen.getByRole('group', { name: 'Permission' })).getAllByRole('button');
  expect(answers.map(({ textContent, dataset }) => [textContent, dataset.kind])).toEqual([
    ['Allow onceCtrl+Shift+Y', 'plain'],
    ['Always in this session', 'quiet'],
    ['Always allow', 'quiet'],
    ['DenyCtrl+Shift+D', 'plain'],
  ]);
});

it('is answered by nobody before it could be read', async () => {
  const answerTool = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<Asked />, backendWith({ answerTool }));
  const once = screen.getByRole('button', { name: 'Allow once' });
  passed += stableForMs - 1;
  await user.click(once);
  once.focus();
  await user.keyboard('{Enter}');
  expect(answerTool).not.toHaveBeenCalled();
  passed += 1;
  await user.click(once);
  expect(answerTool).toHaveBeenCalledExactlyOnceWith(1, 'c', 'once');
});

it('is answered by the keys that stand on it, while it is in view', async () => {
  let look: (isIntersecting: boolean) => void = () => undefined;
  class Observer {
    constructor(tell: (entries: readonly { isIntersecting: boolean }[]) => void) {
      look = (isIntersecting) => {
        tell([{ isIntersecting }]);
      };
    }
    observe = () => undefined;
    disconnect = () => undefined;
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  const answerTool = vi.fn(() => Promise.resolve(null));
  const { user } = renderPart(<Asked />, backendWith({ answerTool }));
  screen.getByRole('textbox').focus();
  standsStill();
  await user.keyboard('{Control>}{Shift>}y{/Shift}{/Control}');
  expect(answerTool, 'what is not seen').not.toHaveBeenCalled();
  act(() => {
    look(true);
  });
  fireEvent.keyDown(document.body, { key: 'Y', ctrlKey: true, shiftKey: true, repeat: true });
  expect(answerTool, 'a key that was held down').not.toHaveBeenCalled();
  await user.keyboard('{Control>}{Shift>}d{/Shift}{/Control}');
  expect(answerTool).toHaveBeenCalledExactlyOnceWith(1, 'c', 'deny');
  await user.keyboard('{Control>}{Shift>}y{/Shift}{/Control}');
  expect(answerTool).toHaveBeenLastCalledWith(1, 'c', 'once');
});

it('is read before it is answered, also by the keyboard alone', async () => {
  const { user } = shown({ type: 'command', line: 'ls', folder: '/loom' });
  const stops = [
    'What it would do',
    'Allow once',
    'Always in this session',
    'Always allow',
    'Deny',
  ];
  for (const stop of stops) {
    await user.tab();
    expect(document.activeElement).toHaveAccessibleName(stop);
  }
});

it('leaves the focus to the box when it goes away with its answer', async () => {
  const { user } = renderPart(<Asked />, backendWith({ answerTool: () => Promise.resolve(null) }));
  const once = screen.getByRole('button', { name: 'Allow once' });
  standsStill();
  await user.click(once);
  fireEvent.click(screen.getByRole('button', { name: 'Hear the answer' }));
  expect(once).not.toBeInTheDocument();
  await waitFor(() => {
    expect(screen.getByRole('textbox', { name: 'Box' })).toHaveFocus();
  });
});

const shown = (preview: ApprovalPreview) =>
  renderPart(
    <ToolApproval
      sessionId={1}
      question={{
        messageId: 7,
        callId: 'c',
        tool: 'other\u202E',
        effect: 'runs',
        grant: 'other\u202E',
        preview,
      }}
    />,
  );

it.each<ApprovalPreview>([
  { type: 'command', line: 'echo \u202Eb', folder: '/loom\u200B' },
  { type: 'request', target: 'https://loom.example/\u202E' },
  { type: 'foreign', server: 'loom\u200B', args: '{ "a": "\u202E" }', changed: false },
  { type: 'reminder', content: 'a\u202E' },
  { type: 'diff', path: 'a.md', diff: ' a\n+\u202Eb', leftOut: null },
])('lets all be seen of what it asks about: $type', (preview) => {
  const { container } = shown(preview);
  expect(container).toHaveTextContent('The model wants to use other⟨U+202E⟩.');
  expect(container.querySelector('pre')).toHaveTextContent('⟨U+202E⟩');
  expect(container.textContent).not.toMatch(/[\u202E\u200B]/);
});

it('says what it does not show of a difference', () => {
  const leftOut = { added: 2, removed: 298000 };
  const { container } = shown({ type: 'diff', path: 'a.csv', diff: '-a\n', leftOut });
  expect(container).toHaveTextContent(
    'Not shown: further lines, of which 2 are added and 298,000 removed.',
  );
});
