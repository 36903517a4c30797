import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { InstructionFile } from '../../ipc/bindings';
import { backendWith, renderPart } from '../../../test/render';
import { useInstructionFiles } from './toolQueries';

function Paths() {
  return useInstructionFiles(1).data?.map(({ path }) => <p key={path}>{path}</p>);
}

const file = (path: string): InstructionFile => ({
  path,
  scope: 'everywhere',
  text: '',
  chars: 0,
  read: 0,
});

it('reads files again when the person comes back to the window, which was visible all the time', async () => {
  let files = [file('/weaving/AGENTS.md')];
  renderPart(<Paths />, backendWith({ memoryFiles: () => Promise.resolve(files) }));
  await screen.findByText('/weaving/AGENTS.md');
  files = [file('/weaving/CLAUDE.md')];
  fireEvent.focus(window);
  expect(await screen.findByText('/weaving/CLAUDE.md')).toBeVisible();
});
