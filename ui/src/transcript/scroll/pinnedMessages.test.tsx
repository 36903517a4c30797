import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import { transcriptPage, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { ViewerContext, type ViewerContent } from '../state/viewerContext';
import { ViewerDialog } from '../viewer/ViewerDialog';
import { Transcript } from '../Transcript';

beforeEach(() => {
  Element.prototype.scrollTo = () => undefined;
  // jsdom has no layout.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: Element,
  ) {
    return this.hasAttribute('data-message') ? 100 : 800;
  });
  getSelection()?.removeAllRanges();
});

const file = {
  type: 'file',
  blob: 7,
  name: 'loom.txt',
  mediaType: 'text/plain',
  text: 'warp and weft',
  bytes: 13,
} as const;

const message = (id: number) =>
  assistantMessage(id, {
    parentId: id === 1 ? null : id - 1,
    parts: [
      { type: 'reasoning', text: 'Hm.', signature: null },
      file,
      { type: 'text', text: `Row ${id}.` },
    ],
  });

const page = transcriptPage(...Array.from({ length: 60 }, (_, at) => message(at + 1)));

const first = { messageId: 1 };
const nothing = () => undefined;

function Thread() {
  const [opened, setOpened] = useState<ViewerContent | null>(null);
  return (
    <ViewerContext value={setOpened}>
      <textarea aria-label="Elsewhere" />
      <Transcript
        ref={null}
        sessionId={1}
        threadId={1}
        readOnly={false}
        isElsewhere={false}
        scrollTarget={first}
        highlighted={[]}
        onMatchPosition={nothing}
        onReadingPosition={nothing}
        onCompare={nothing}
        onEstimate={nothing}
        onProvider={nothing}
        renderContextCard={() => null}
        onEnd={nothing}
        whenEmpty={null}
      />
      {opened && opened.type !== 'request' && opened.type !== 'summarise' && (
        <ViewerDialog
          opened={opened}
          sessionId={1}
          onClose={() => {
            setOpened(null);
          }}
        />
      )}
    </ViewerContext>
  );
}

const frame = () => act(() => new Promise((done) => requestAnimationFrame(done)));

async function select(change: (selection: Selection) => void) {
  const selection = getSelection();
  if (selection) change(selection);
  document.dispatchEvent(new Event('selectionchange'));
  await frame();
}

async function open() {
  const backend = backendWith({
    transcript: () => Promise.resolve(page),
    attachedText: () => Promise.resolve(file.text),
  });
  const { user } = renderPart(<Thread />, backend);
  await screen.findByText('Row 1.');
  const scroller = screen.getByRole('log');
  const scroll = async (top: number) => {
    scroller.scrollTop = top;
    fireEvent.scroll(scroller);
    await frame();
  };
  return { user, scroll };
}

const rows = () =>
  Array.from(document.querySelectorAll('[data-message]'), (row) =>
    Number((row as HTMLElement).dataset.message),
  );

it('lets go of a row that is far from the view and that nobody holds', async () => {
  const { scroll } = await open();
  await scroll(4_000);
  await waitFor(() => {
    expect(screen.queryByText('Row 1.')).toBeNull();
  });
});

it('keeps all that is selected, from the first message to the last', async () => {
  const { scroll } = await open();
  const first = screen.getByText('Row 1.');
  const second = screen.getByText('Row 2.');
  await select((selection) => {
    selection.setBaseAndExtent(first, 0, second, 1);
  });
  await scroll(3_000);
  const last = Math.max(...rows());
  const end = screen.getByText(`Row ${last}.`);
  await select((selection) => {
    selection.extend(end, 1);
  });
  await waitFor(() => {
    expect(rows()).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  });
  expect(first).toBeInTheDocument();
  expect(getSelection()?.toString()).toMatch(/^Row 1\.[^]*Row 20\.[^]*Row \d+\.$/);
  await select((selection) => {
    selection.removeAllRanges();
  });
  await waitFor(() => {
    expect(first).not.toBeInTheDocument();
  });
});

it('keeps what was opened from a row that leaves', async () => {
  const { user, scroll } = await open();
  const [way] = screen.getAllByRole('button', { name: 'Open loom.txt' });
  if (!way) throw new Error('there is an attachment');
  await user.click(way);
  expect(await screen.findByText('warp and weft')).toBeVisible();
  await scroll(4_000);
  await waitFor(() => {
    expect(way).not.toBeInTheDocument();
  });
  expect(screen.getByRole('dialog', { name: 'loom.txt' })).toHaveTextContent('warp and weft');
});

it('shows a line as it was left when its row comes back', async () => {
  const { user, scroll } = await open();
  const [thoughts] = screen.getAllByRole('button', { name: 'Thoughts' });
  if (!thoughts) throw new Error('there are thoughts');
  await user.click(thoughts);
  await user.click(screen.getByRole('textbox', { name: 'Elsewhere' }));
  expect(screen.getAllByText('Hm.')).toHaveLength(1);
  await scroll(4_000);
  await waitFor(() => {
    expect(screen.queryByText('Hm.')).toBeNull();
  });
  await scroll(0);
  expect(await screen.findByText('Hm.')).toBeVisible();
});
