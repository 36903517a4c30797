import { screen } from '@testing-library/react';
import { useRef } from 'react';
import { expect, it } from 'vitest';
import { answering, show } from '../../test-show';
import { useFocusHome } from '../kit/focus';
import { ToolQuestion } from './ToolQuestion';

function Asked() {
  const box = useRef<HTMLInputElement>(null);
  useFocusHome(box);
  return (
    <>
      <input ref={box} aria-label="Box" />
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
    </>
  );
}

it('gives the focus to the box when it is answered, and says where it could not be', async () => {
  const answerTool = () => Promise.reject(Object.assign(new Error(), { kind: 'busy' }));
  const { person } = show(<Asked />, answering({ answerTool }));
  const [once] = screen.getAllByRole('button');
  if (once) await person.click(once);
  expect(screen.getByRole('textbox', { name: 'Box' })).toHaveFocus();
  expect(await screen.findByRole('alert')).toHaveTextContent('A reply is already on its way');
});
