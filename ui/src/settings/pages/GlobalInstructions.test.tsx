import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Settings } from '../../ipc/bindings';
import { defaultSettings } from '../../../test/fakeBackend';
import { renderPart } from '../../../test/render';
import { GlobalInstructions } from './GlobalInstructions';

type Change = (settings: Settings) => Settings;
const field = () => screen.getByRole('textbox', { name: 'Instructions for every session' });

it('keeps instructions for every session when they rest', async () => {
  const save = vi.fn<(change: Change) => void>();
  const { user } = renderPart(<GlobalInstructions settings={defaultSettings} save={save} />);
  await user.type(field(), 'Rhyme.');
  await waitFor(() => {
    expect(save).toHaveBeenCalledOnce();
  });
  expect(save.mock.calls[0]?.[0](defaultSettings)).toEqual({
    ...defaultSettings,
    instructions: 'Rhyme.',
  });
});

it('keeps what has just been written where the page is left, and nothing where it was cleared', async () => {
  const save = vi.fn<(change: Change) => void>();
  const settings = { ...defaultSettings, instructions: 'Rhyme.' };
  const { user, unmount } = renderPart(<GlobalInstructions settings={settings} save={save} />);
  expect(field()).toHaveValue('Rhyme.');
  await user.clear(field());
  unmount();
  expect(save).toHaveBeenCalledOnce();
  expect(save.mock.calls[0]?.[0](settings).instructions).toBeNull();
});

it('saves nothing where nothing was changed', () => {
  const save = vi.fn<(change: Change) => void>();
  renderPart(<GlobalInstructions settings={defaultSettings} save={save} />).unmount();
  expect(save).not.toHaveBeenCalled();
});

it('keeps what was typed where it could not be saved', async () => {
  const save = vi.fn<(change: Change) => void>();
  const page = (instructions: string | null) => (
    <GlobalInstructions settings={{ ...defaultSettings, instructions }} save={save} />
  );
  const { user, rerender } = renderPart(page(null));
  await user.type(field(), 'Rhyme.');
  // The text is shown as saved before it is; when the save fails, the former text returns.
  rerender(page('Rhyme.'));
  rerender(page(null));
  await user.type(field(), ' Always.');
  expect(field()).toHaveValue('Rhyme. Always.');
});

it('follows what was written into the file meanwhile, and writes over none of it', async () => {
  const save = vi.fn<(change: Change) => void>();
  const page = (instructions: string | null) => (
    <GlobalInstructions settings={{ ...defaultSettings, instructions }} save={save} />
  );
  const { rerender, unmount } = renderPart(page(null));
  rerender(page('Rhyme.'));
  await waitFor(() => {
    expect(field()).toHaveValue('Rhyme.');
  });
  unmount();
  expect(save).not.toHaveBeenCalled();
});

it('follows the file again once what was typed is kept', async () => {
  const save = vi.fn<(change: Change, onKept?: () => void) => void>((_, onKept) => onKept?.());
  const page = (instructions: string | null) => (
    <GlobalInstructions settings={{ ...defaultSettings, instructions }} save={save} />
  );
  const { user, rerender, unmount } = renderPart(page(null));
  await user.type(field(), 'Rhyme.');
  await waitFor(() => {
    expect(save).toHaveBeenCalledOnce();
  });
  rerender(page('Rhyme.'));
  rerender(page('Sing.'));
  await waitFor(() => {
    expect(field()).toHaveValue('Sing.');
  });
  unmount();
  expect(save).toHaveBeenCalledOnce();
});
