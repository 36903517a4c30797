import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useRef, useState } from 'react';
import { expect, it } from 'vitest';
import { answering, show } from '../../test-show';
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
