import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { answering, show } from '../../test-show';
import { Sidebar } from './Sidebar';

const nothing = () => undefined;

it('says why a session could not be pinned or deleted', async () => {
  const refuse = () => Promise.reject(new Error('the disk is gone'));
  const { person } = show(
    <Sidebar open={1} onOpen={nothing} onNew={nothing} onHit={nothing} onSettings={nothing} />,
    answering({ pinSession: refuse, deleteSession: refuse }),
  );
  for (const asked of ['Pin', 'Delete']) {
    await person.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
    await person.click(await screen.findByRole('menuitem', { name: asked }));
    const said = await screen.findByRole('alert');
    expect(said).toHaveTextContent('the disk is gone');
    await person.click(within(said).getByRole('button'));
  }
});
