import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { InstructionFile, UserPromptList, SkillIndex } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { MemoryPage } from './MemoryPage';

const noPrompts: UserPromptList = { folder: '/c/prompts', prompts: [], problems: [] };

function open(files: InstructionFile[], index: SkillIndex, prompts = noPrompts) {
  const backend = backendWith({
    memoryFiles: () => Promise.resolve(files),
    skills: () => Promise.resolve(index),
    ownPrompts: () => Promise.resolve(prompts),
  });
  const showInFolder = vi.fn(() => Promise.reject(new Error('no program')));
  backend.desktop.showInFolder = showInFolder;
  const page = <MemoryPage settings={defaultSettings} save={vi.fn()} session={1} />;
  return { ...renderPart(page, backend), showInFolder };
}

it.each([
  ['Memory files', /AGENTS\.md/],
  ['Skills', /SKILL\.md/],
  ['Prompts', /A Markdown file in the folder “prompts”.* written as {{…}} in it/],
])('says of %s what they are and how the first one is made, and leads there', async (name, how) => {
  const { user, showInFolder } = open([], { skills: [], problems: [] });
  const section = within(await screen.findByRole('region', { name }));
  expect(await section.findByText(how)).toBeVisible();
  await user.click(await section.findByRole('button', { name: 'Show Skein’s folder' }));
  expect(showInFolder).toHaveBeenCalledExactlyOnceWith('/c');
  expect(await screen.findByRole('alert')).toHaveTextContent('No file manager could show /c.');
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
  const prompts = {
    ...noPrompts,
    prompts: [{ name: 'loom', description: 'Draws', words: 'Draw.' }],
  };
  open([file as InstructionFile], { skills: [skill], problems: [] } as SkillIndex, prompts);
  expect(await screen.findByRole('switch', { name: 'weaving' })).toBeVisible();
  expect(await screen.findByRole('button', { name: /AGENTS\.md/ })).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Show Skein’s folder' })).toBeNull();
});

it('lists the prompts, leads to their folder, and says what is wrong with the other files', async () => {
  const prompts = {
    ...noPrompts,
    prompts: [{ name: '翻译', description: 'Translates', words: '译成' }],
    problems: [
      { file: 'two words.md', fault: { type: 'badName' as const } },
      { file: 'b.md', fault: { type: 'taken' as const, by: 'B.md' } },
    ],
  };
  const { user, showInFolder } = open([], { skills: [], problems: [] }, prompts);
  const section = within(await screen.findByRole('region', { name: 'Prompts' }));
  expect(section.getByText('/翻译')).toBeVisible();
  expect(section.getByText('Translates')).toBeVisible();
  expect(section.getByText(/must be 1 to 64 letters/)).toBeVisible();
  expect(section.getByText('B.md has the same name.')).toBeVisible();
  await user.click(section.getByRole('button', { name: 'Show the folder of the prompts' }));
  expect(showInFolder).toHaveBeenCalledExactlyOnceWith('/c/prompts');
});
