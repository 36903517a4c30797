import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { show } from '../../test-show';
import { HeadersField } from './HeadersField';
import { UnsavedGuard, useLeaving } from './Unsaved';

const left = vi.fn();

function Form() {
  const [headers, setHeaders] = useState<Readonly<Record<string, string>>>({});
  const leave = useLeaving();
  return (
    <>
      <HeadersField value={headers} onChange={setHeaders} />
      <button
        onClick={() => {
          leave(left);
        }}
      >
        Leave
      </button>
    </>
  );
}

it('asks before a line that is no header is lost', async () => {
  const { person } = show(
    <UnsavedGuard>
      <Form />
    </UnsavedGuard>,
  );
  await person.type(screen.getByRole('textbox'), 'X-Loom: oak\nno header');
  await person.click(screen.getByRole('button', { name: 'Leave' }));
  expect(await screen.findByRole('dialog')).toBeVisible();
  expect(left).not.toHaveBeenCalled();
});
