import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { Message } from '../ipc/bindings';
import { SummaryView } from './SummaryView';

const summary: Message = {
  id: 9,
  threadId: 1,
  parentId: 2,
  kind: { type: 'summary' },
  role: 'assistant',
  origin: 'runtime',
  parts: [{ type: 'text', text: 'Wool is red.' }],
  state: { type: 'complete' },
  pinned: false,
  model: null,
  createdAt: 0,
};

it('keeps an edited summary in its box where it cannot be stored, and says why (Ctrl+Enter saves)', async () => {
  const editSummary = vi.fn(() =>
    Promise.reject(Object.assign(new Error(), { kind: 'diskFull', path: '/skein.db' })),
  );
  const { person } = show(
    <SummaryView
      item={{
        message: summary,
        number: 1,
        siblings: [],
        coveredBy: null,
        point: null,
        generation: null,
      }}
      sessionId={1}
      readOnly={false}
      last={false}
      editing={false}
      onEditing={() => undefined}
      onCompare={() => undefined}
      onProviders={() => undefined}
      card={() => null}
    />,
    answering({ editSummary }),
  );
  await person.click(screen.getByRole('button', { name: 'Summary' }));
  await person.click(screen.getByRole('button', { name: 'Edit' }));
  const box = screen.getByRole('textbox', { name: 'Edit the message' });
  await person.type(box, ' Silk too.{Enter}Linen.{Control>}{Enter}{/Control}');
  expect(await screen.findByRole('alert')).toHaveTextContent('the disk is full');
  expect(box).toHaveValue('Wool is red. Silk too.\nLinen.');
});
