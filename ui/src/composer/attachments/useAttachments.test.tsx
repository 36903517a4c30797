import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Attachment } from '../../ipc/bindings';
import { Dialog } from '../../kit/overlays/Dialog';
import { emptySession } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { Composer } from '../Composer';
import { ReadOnlyComposer } from '../ReadOnlyComposer';

const nothing = () => undefined;

const file = (name: string): Attachment => ({
  type: 'file',
  blob: 3,
  name,
  mediaType: 'text/plain',
  bytes: 4,
});

const composer = (
  <Composer
    view={emptySession}
    commands={[]}
    onEstimate={nothing}
    numbers={nothing}
    onSent={nothing}
    onEditLast={() => false}
    onPage={() => undefined}
  />
);

function open(part = composer, words = '') {
  const commands = {
    attachBytes: vi.fn((name: string) => Promise.resolve(file(name))),
    attachFile: vi.fn(() => Promise.resolve(file('dropped.md'))),
    attachCopiedPicture: vi.fn(() => Promise.resolve(null)),
    attachedText: () => Promise.resolve(words),
  };
  const backend = backendWith(commands);
  let drop: (paths: readonly string[]) => void = nothing;
  backend.desktop.onDrop = (dropped) => {
    drop = dropped;
    return Promise.resolve(nothing);
  };
  const drops = (path: string) => {
    act(() => {
      drop([path]);
    });
  };
  return { ...renderPart(part, backend), commands, drops };
}

const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });

/** A paste as the browser hands it over. */
const paste = (words: string, files: readonly File[], types: readonly string[]) =>
  fireEvent.paste(box(), { clipboardData: { getData: () => words, files, types } });

it('attaches files that were copied, also where their places stand beside them as words', async () => {
  const { commands } = open();
  paste('', [new File(['wool'], 'a.txt')], ['Files']);
  expect(await screen.findByText('a.txt')).toBeVisible();
  paste('/home/ada/b.txt', [new File(['flax'], 'b.txt')], ['text/plain', 'text/uri-list', 'Files']);
  expect(await screen.findByText('b.txt')).toBeVisible();
  expect(commands.attachBytes.mock.calls).toEqual([
    ['a.txt', btoa('wool')],
    ['b.txt', btoa('flax')],
  ]);
  // A table says the same in words and as a picture: its words are meant.
  expect(paste('1\t2', [new File(['…'], 'image.png')], ['text/plain', 'Files'])).toBe(true);
  expect(commands.attachBytes).toHaveBeenCalledTimes(2);
});

it('says so where nothing of what was copied can be attached', async () => {
  open();
  paste('', [], []);
  expect(await screen.findByRole('alert')).toHaveTextContent('The clipboard holds nothing');
});

it('makes a file of a long text in the place of what was selected, and puts it back there', async () => {
  const words = 'wool '.repeat(2_000);
  const { user } = open(composer, words);
  fireEvent.change(box(), { target: { value: 'red blue green' } });
  box().setSelectionRange(4, 8);
  paste(words, [], ['text/plain']);
  expect(box()).toHaveValue('red  green');
  await user.click(await screen.findByRole('button', { name: 'Undo' }));
  await waitFor(() => {
    expect(box()).toHaveValue(`red ${words} green`);
  });
});

it('takes what is dropped into the box, and refuses it with a word where none is in reach', async () => {
  const dialog = <Dialog title="Settings" onClose={nothing} children={null} />;
  const { user, commands, drops, rerender } = open();
  drops('/loom/a.md');
  expect(await screen.findByText('dropped.md')).toBeVisible();
  const refused = /no message can be written here/;
  rerender(
    <>
      {composer}
      {dialog}
    </>,
  );
  drops('/loom/b.md');
  expect(await screen.findByText(refused)).toBeVisible();
  await user.click(within(screen.getByRole('alert')).getByRole('button'));
  rerender(<ReadOnlyComposer view={emptySession} />);
  expect(screen.queryByText(refused)).toBeNull();
  drops('/loom/c.md');
  expect(await screen.findByText(refused)).toBeVisible();
  expect(commands.attachFile).toHaveBeenCalledExactlyOnceWith('/loom/a.md');
});
