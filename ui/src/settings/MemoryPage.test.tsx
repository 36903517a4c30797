import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { answering, show } from '../../test-show';
import type { MemoryFile, SkillIndex } from '../ipc/bindings';
import { plainSettings } from '../ipc/memory';
import { MemoryPage } from './MemoryPage';

function open(files: MemoryFile[], index: SkillIndex) {
  const backend = answering({
    memoryFiles: () => Promise.resolve(files),
    skills: () => Promise.resolve(index),
  });
  const showInFolder = vi.fn(() => Promise.reject(new Error('no program')));
  backend.desktop.showInFolder = showInFolder;
  const page = <MemoryPage settings={plainSettings} save={vi.fn()} session={1} />;
  return { ...show(page, backend), showInFolder };
}

it.each([
  ['Memory files', /AGENTS\.md/],
  ['Skills', /SKILL\.md/],
])('says of %s what they are and how the first one is made, and leads there', async (name, how) => {
  const { person, showInFolder } = open([], { skills: [], problems: [] });
  const section = within(await screen.findByRole('region', { name }));
  expect(await section.findByText(how)).toBeVisible();
  await person.click(await section.findByRole('button', { name: 'Show Skein’s folder' }));
  expect(showInFolder).toHaveBeenCalledExactlyOnceWith('/c');
  expect(await screen.findByRole('alert')).toHaveTextContent('No program for folders showed /c.');
});

it('explains nothing where there are some', async () => {
  const file = { path: '/c/AGENTS.md', scope: 'everywhere', text: 'Be brief.', chars: 9, read: 9 };
  const skill = {
    name: 'weaving',
    description: 'Sets up a loom.',
    origin: 'config',
    folder: '/c/skills/weaving',
    license: null,
    compatibility: null,
    allowedTools: [],
  };
  open([file as MemoryFile], { skills: [skill], problems: [] } as SkillIndex);
  expect(await screen.findByRole('switch', { name: 'weaving' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /AGENTS\.md/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show Skein’s folder' })).toBeNull();
});
