import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Backend } from '../../ipc';
import type { UserPrompt } from '../../ipc/bindings';
import { useSession } from '../../state/queries/queries';
import { Composer } from '../Composer';

const compact = vi.fn(() => Promise.resolve());

function Box() {
  const { data } = useSession(1);
  return data ? (
    <Composer
      view={data}
      commands={[{ name: 'compact', description: 'Compacts', argument: null, run: compact }]}
      onEstimate={() => undefined}
      numbers={() => null}
      onSent={() => undefined}
      onEditLast={() => false}
      onPage={() => undefined}
    />
  ) : null;
}

const prompt = (name: string, words: string, description: string | null = null): UserPrompt => ({
  name,
  description,
  words,
});

async function open(prompts: UserPrompt[], commands: Partial<Backend['commands']> = {}) {
  const ownPrompts = () => Promise.resolve({ folder: '/c/prompts', prompts, problems: [] });
  const shown = renderPart(<Box />, backendWith({ ownPrompts, ...commands }));
  return { box: await screen.findByRole('textbox', { name: 'Message' }), ...shown };
}

const names = () => screen.queryAllByRole('option').map(({ textContent }) => textContent);

it('offers prompts of ones own as commands, and puts their words into the box', async () => {
  const send = vi.fn();
  const prompts = [
    prompt('翻译', '译成{{语言}}：{{文字}}', 'Translates'),
    prompt('brief', 'Be brief.\nVery.'),
    prompt('compact', 'Say it in fewer words.'),
  ];
  const { box, user } = await open(prompts, { send });
  await user.type(box, '/');
  await waitFor(() => {
    expect(names()).toEqual([
      '/compactCompacts',
      '/翻译Translates',
      '/briefBe brief.',
      '/prompt:compactSay it in fewer words.',
      '/save-promptSave the text after this as a prompt · what it says',
    ]);
  });
  await user.type(box, 'brief{Enter}');
  await waitFor(() => {
    expect(box).toHaveValue('Be brief.\nVery.');
  });
  await user.clear(box);
  await user.type(box, '/翻译{Enter}');
  await user.type(await screen.findByRole('textbox', { name: '语言' }), '英文');
  expect(screen.getByRole('button', { name: 'Put into the message box' })).toBeDisabled();
  await user.type(screen.getByRole('textbox', { name: '文字' }), '织布机{Enter}');
  await waitFor(() => {
    expect(box).toHaveValue('译成英文：织布机');
  });
  expect(send).not.toHaveBeenCalled();
});

it('takes what is written behind a prompt for the one thing it asks for', async () => {
  const { box, user } = await open([prompt('ask', 'What is {{it}}?')]);
  await user.type(box, '/a');
  await screen.findByRole('option', { name: /ask/ });
  await user.type(box, 'sk a loom{Enter}');
  await waitFor(() => {
    expect(box).toHaveValue('What is a loom?');
  });
});

it('saves what is written as a prompt, under a name that fits and is free', async () => {
  const savePrompt = vi
    .fn<Backend['commands']['savePrompt']>()
    .mockResolvedValueOnce({ type: 'taken' })
    .mockResolvedValueOnce({ type: 'saved', name: 'loom' });
  const { box, user } = await open([], { savePrompt });
  await user.type(box, '/save-prompt Draw a loom.{Enter}');
  const words = await screen.findByRole('textbox', { name: 'What it says' });
  expect(words).toHaveValue('Draw a loom.');
  expect(box, 'until they are saved').toHaveValue('Draw a loom.');
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Loom{Enter}');
  expect(
    await screen.findByText('There is already a prompt with this name. Choose another name.'),
  ).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Save the prompt' }));
  expect(await screen.findByText('Saved: it is the command /loom now.')).toBeVisible();
  expect(savePrompt).toHaveBeenLastCalledWith('Loom', 'Draw a loom.');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(box).toHaveValue('');
});

it('gives back what was written where it is not saved', async () => {
  const { box, user } = await open([]);
  await user.type(box, '/save-prompt Draw a loom.{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Cancel' }));
  await waitFor(() => {
    expect(box).toHaveValue('Draw a loom.');
  });
});
