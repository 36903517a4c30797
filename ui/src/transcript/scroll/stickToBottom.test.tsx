import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useRef } from 'react';
import { beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { Message } from '../../ipc/bindings';
import { transcriptPage, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { turnStore } from '../../state/turn/turnStore';
import { Transcript, type TranscriptHandle } from '../Transcript';

beforeEach(() => {
  Element.prototype.scrollTo = () => undefined;
  turnStore.set(1, { ...turnStore.get(1), live: [] });
});

const nothing: readonly string[] = [];
const idle = () => undefined;

function Thread() {
  const transcript = useRef<TranscriptHandle>(null);
  return (
    <>
      <button onClick={() => transcript.current?.toPage(-1)}>A page up</button>
      <button onClick={() => transcript.current?.toPage(1)}>A page down</button>
      <Transcript
        ref={transcript}
        sessionId={1}
        threadId={1}
        readOnly={false}
        isElsewhere={false}
        scrollTarget={null}
        highlighted={nothing}
        onMatchPosition={idle}
        onReadingPosition={idle}
        onCompare={idle}
        onEstimate={idle}
        onProvider={idle}
        renderContextCard={() => 'Card'}
        onEnd={idle}
        whenEmpty={null}
      />
    </>
  );
}

const thought: Message = assistantMessage(1, {
  parts: [
    { type: 'reasoning', text: 'Over, under', signature: null },
    { type: 'text', text: 'The weft' },
  ],
});

/** At the end of 5,000 px, of which 800 are in view. */
async function atTheEnd(message = thought) {
  renderPart(
    <Thread />,
    backendWith({ transcript: () => Promise.resolve(transcriptPage(message)) }),
  );
  const view = await screen.findByRole('log');
  const high = vi.spyOn(view, 'scrollHeight', 'get').mockReturnValue(5_000);
  await screen.findByRole('article');
  const scroll = (top: number) => {
    view.scrollTop = top;
    fireEvent.scroll(view);
  };
  scroll(4_200);
  let id = 1;
  const grow = (to: number) => {
    high.mockReturnValue(to);
    id += 1;
    act(() => {
      turnStore.set(1, {
        ...turnStore.get(1),
        live: [...turnStore.get(1).live, assistantMessage(id)],
      });
    });
  };
  return { view, high, scroll, grow };
}

const frame = () => act(() => new Promise((done) => requestAnimationFrame(done)));
const reasoning = () => screen.getByRole('button', { name: 'Thoughts' });

it('leaves a line where it was pressed that opens at the end, and follows again who comes back', async () => {
  const { view, high, scroll, grow } = await atTheEnd();
  fireEvent.click(reasoning());
  high.mockReturnValue(6_300);
  // An earlier message that is scrolled to only now.
  scroll(4_201);
  await frame();
  grow(6_400);
  expect(view.scrollTop).toBe(4_201);
  expect(screen.getByRole('button', { name: 'To the end' })).toBeVisible();
  fireEvent.wheel(view, { deltaY: 86 });
  scroll(5_590);
  grow(6_800);
  expect(view.scrollTop).toBe(6_800);
});

it('goes on to follow where all that was opened is in view, or it was closed', async () => {
  const { view, high, scroll, grow } = await atTheEnd();
  fireEvent.click(reasoning());
  await frame();
  grow(5_400);
  expect(view.scrollTop).toBe(5_400);
  scroll(4_600);
  high.mockReturnValue(5_000);
  fireEvent.click(reasoning());
  // The browser itself takes it back where there is no more.
  scroll(4_200);
  grow(5_500);
  expect(view.scrollTop).toBe(5_500);
});

it('leaves what is edited where it was pressed', async () => {
  const { view, high, scroll } = await atTheEnd({ ...thought, role: 'user', origin: 'person' });
  fireEvent.click(screen.getByRole('button', { name: 'Edit' }));
  high.mockReturnValue(5_200);
  scroll(4_201);
  await frame();
  expect(view.scrollTop).toBe(4_201);
});

it('pulls nothing away while the button is down in it', async () => {
  const { view, grow } = await atTheEnd();
  fireEvent.pointerDown(screen.getByText('The weft'), { button: 0 });
  grow(5_400);
  expect(view.scrollTop).toBe(4_200);
  act(() => {
    fireEvent.pointerUp(window);
  });
  expect(view.scrollTop).toBe(5_400);
});

it('leaves marked words in view, and says that there is more below', async () => {
  const { view, grow } = await atTheEnd();
  getSelection()?.selectAllChildren(screen.getByText('The weft'));
  grow(5_020);
  expect(view.scrollTop).toBe(4_200);
  grow(5_400);
  expect(view.scrollTop).toBe(4_200);
  expect(await screen.findByRole('button', { name: 'To the end' })).toBeVisible();
  getSelection()?.removeAllRanges();
  grow(5_800);
  await waitFor(() => {
    expect(view.scrollTop).toBe(4_200);
  });
});

it('is scrolled by a page from elsewhere, and followed no more by who goes up', async () => {
  const { view, grow } = await atTheEnd();
  fireEvent.click(screen.getByText('A page up'));
  expect(view.scrollTop).toBe(3_480);
  grow(5_400);
  expect(view.scrollTop).toBe(3_480);
  fireEvent.click(screen.getByText('A page down'));
  expect(view.scrollTop).toBe(4_200);
});
