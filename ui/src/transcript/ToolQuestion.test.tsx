import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { answering, show } from '../../test-show';
import type { Preview } from '../ipc/bindings';
import { useFocusHome } from '../kit/focus';
import { ToolQuestion } from './ToolQuestion';

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
        <ToolQuestion
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
  const { person } = show(<Asked />, answering({ answerTool }));
  await person.click(screen.getByRole('button', { name: 'Allow once' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('A reply is already on its way');
});

it('puts the answers for this one call before those that last', () => {
  show(<Asked />);
  const answers = within(screen.getByRole('group', { name: 'Permission' })).getAllByRole('button');
  expect(answers.map(({ textContent, dataset }) => [textContent, dataset.kind])).toEqual([
    ['Allow once', 'plain'],
    ['Always in this session', 'quiet'],
    ['Always allow', 'quiet'],
    ['Deny', 'plain'],
  ]);
});

it('leaves the focus to the box when it goes away with its answer', async () => {
  const { person } = show(<Asked />, answering({ answerTool: () => Promise.resolve(null) }));
  const once = screen.getByRole('button', { name: 'Allow once' });
  await person.click(once);
  fireEvent.click(screen.getByRole('button', { name: 'Hear the answer' }));
  expect(once).not.toBeInTheDocument();
  await waitFor(() => {
    expect(screen.getByRole('textbox', { name: 'Box' })).toHaveFocus();
  });
});

const shown = (preview: Preview) =>
  show(
    <ToolQuestion
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

it.each<Preview>([
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
