import { render, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { Button } from '../controls/Button';
import { Dialog } from './Dialog';

const open = (content: ReactNode, first: ReactNode = <Button>Quit now</Button>) =>
  render(
    <Dialog
      title="Closing"
      onClose={() => undefined}
      actions={
        <>
          {first}
          <Button kind="primary">Stay</Button>
        </>
      }
    >
      {content}
    </Dialog>,
  );

it('begins at what it proposes where there is nothing to fill in', () => {
  open(<p>A reply is coming.</p>);
  expect(screen.getByRole('button', { name: 'Stay' })).toHaveFocus();
});

it('begins at its first field where it has one', () => {
  open(<input aria-label="Title" />);
  expect(screen.getByRole('textbox', { name: 'Title' })).toHaveFocus();
});

it('begins where it says so: what nobody asked for is agreed to by no key in passing', () => {
  open(<p>A link suggests this.</p>, <Button data-initial-focus>Cancel</Button>);
  expect(screen.getByRole('button', { name: 'Cancel' })).toHaveFocus();
});

it('gives the focus to its content, by its own name, where it has no control but the one that closes', () => {
  render(
    <Dialog title="Licences" onClose={() => undefined}>
      <p>MIT</p>
    </Dialog>,
  );
  expect(screen.getByRole('group', { name: 'Licences' })).toHaveFocus();
});
