import { screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it, vi } from 'vitest';
import { renderPart } from '../../../test/render';
import { Dialog } from '../../kit/overlays/Dialog';
import { HeadersField } from './HeadersField';

function Form({ onClose }: { onClose: () => void }) {
  const [headers, setHeaders] = useState<Readonly<Record<string, string>>>({});
  return (
    <Dialog title="Loom" onClose={onClose}>
      <HeadersField value={headers} onChange={setHeaders} />
    </Dialog>
  );
}

it('asks before a line that is no header is lost', async () => {
  const onClose = vi.fn();
  const { user } = renderPart(<Form onClose={onClose} />);
  await user.type(screen.getByRole('textbox'), 'X-Loom: oak\nno header');
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(await screen.findByRole('dialog', { name: 'Discard what you typed?' })).toBeVisible();
  expect(onClose).not.toHaveBeenCalled();
});
