import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ContentPart, Message } from '../../ipc/bindings';
import { transcriptPage, assistantMessage } from '../../../test/fixtures/conversationFixtures';
import { FindBar } from '../search/FindBar';
import type { MessageScrollTarget, MatchPosition } from './scrollToMatch';
import { Transcript } from '../Transcript';

const nothing = () => undefined;

/** The painted ranges, by the name of their highlight. */
const painted = new Map<string, { ranges: readonly Range[] }>();
const words = (name: string) => painted.get(name)?.ranges.map(String) ?? [];
/** The sentence that is underlined. */
const led = () =>
  painted.get('current-match')?.ranges[0]?.startContainer.parentElement?.closest('p, pre')
    ?.textContent;

beforeEach(() => {
  vi.stubGlobal('CSS', { highlights: painted, escape: String });
  class Painted {
    readonly ranges: Range[] = [];
    priority = 0;
    add(range: Range) {
      this.ranges.push(range);
    }
  }
  vi.stubGlobal('Highlight', Painted);
  Element.prototype.scrollTo = () => undefined;
  // jsdom has no layout: every paragraph is 100 px high, and a row as all of its paragraphs.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockImplementation(function (
    this: Element,
  ) {
    return this.hasAttribute('data-message') ? 8_000 : 800;
  });
  const top = (node: Node) => {
    const all = [...document.querySelectorAll('.Markdown p')];
    const at = all.findIndex((one) => one.contains(node));
    return at * 100 - screen.getByRole('log').scrollTop;
  };
  vi.spyOn(Range.prototype, 'getBoundingClientRect').mockImplementation(function (this: Range) {
    return new DOMRect(0, top(this.startContainer), 60, 20);
  });
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 700, 800));
});

afterEach(() => {
  painted.clear();
  vi.unstubAllGlobals();
});

/** Says of all groups but the first of each message that they are far from the view. */
function stubFar() {
  let tell: (entries: object[]) => void = () => undefined;
  const watched = new Set<Element>();
  class Observer {
    constructor(seen: (entries: object[]) => void) {
      tell = seen;
    }
    observe(element: Element) {
      watched.add(element);
    }
    unobserve(element: Element) {
      watched.delete(element);
    }
    disconnect() {
      watched.clear();
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  class Resized {
    observe = nothing;
    unobserve = nothing;
    disconnect = nothing;
  }
  vi.stubGlobal('ResizeObserver', Resized);
  return () => {
    act(() => {
      tell(
        [...watched].map((target) => ({
          target,
          isIntersecting: target.previousElementSibling === null,
        })),
      );
    });
  };
}

const reply = (id: number, parts: ContentPart[]) => assistantMessage(id, { parts });

/** Eighty paragraphs, some with a word of their own. */
const long = (own: Record<number, string>): ContentPart => ({
  type: 'text',
  text: Array.from({ length: 80 }, (_, at) => `Part ${at + 1}. ${own[at + 1] ?? 'Weft.'}`).join(
    '\n\n',
  ),
});

const none: readonly string[] = [];

function Thread({ begin }: { begin: MessageScrollTarget | null }) {
  const [goal, setGoal] = useState<MessageScrollTarget | null>(begin);
  const [sought, setSought] = useState(none);
  const [places, setPlaces] = useState<MatchPosition | null>(null);
  const [isOpen, setOpen] = useState(true);
  const asked = begin?.match?.words ?? none;
  return (
    <>
      {isOpen && (
        <FindBar
          threadId={1}
          openCount={1}
          matchPosition={places}
          onHighlight={setSought}
          onJump={setGoal}
          onClose={() => {
            setSought(none);
            setOpen(false);
          }}
        />
      )}
      <Transcript
        ref={null}
        sessionId={1}
        threadId={1}
        readOnly={false}
        isElsewhere={false}
        scrollTarget={goal}
        highlighted={sought.length > 0 ? sought : asked}
        onMatchPosition={setPlaces}
        onReadingPosition={nothing}
        onCompare={nothing}
        onEstimate={nothing}
        onProvider={nothing}
        renderContextCard={() => null}
        onEnd={nothing}
        whenEmpty={null}
      />
    </>
  );
}

const open = (messages: Message[], begin: MessageScrollTarget | null = null) =>
  renderPart(
    <Thread begin={begin} />,
    backendWith({
      transcript: () => Promise.resolve(transcriptPage(...messages)),
      search: () =>
        Promise.resolve(
          messages.map(({ id }) => ({
            sessionId: 1,
            sessionName: null,
            place: {
              threadId: 1,
              threadNumber: 1,
              messageId: id,
              messageNumber: id,
              role: 'assistant',
              origin: 'model',
              at: 0,
            },
            excerpt: [],
          })),
        ),
    }),
  );

it('leads to the word in a reply of many screens, also where a part of it is bold', async () => {
  open([reply(1, [long({ 60: 'Here is a **quern**stone.' })])], {
    messageId: 1,
    match: { words: ['quernstone'], at: null },
  });
  await waitFor(() => {
    expect(words('current-match')).toEqual(['quernstone']);
  });
  await waitFor(() => {
    expect(screen.getByRole('log').scrollTop).toBe(59 * 100 + 10 - 400);
  });
  expect(led()).toBe('Part 60. Here is a quernstone.');
});

it('shows again what had left the page while words are looked for in it, and lets go of it then', async () => {
  const far = stubFar();
  const { user } = open([
    reply(1, [long({ 3: 'A quernstone.' })]),
    reply(2, [long({ 60: 'A quernstone.' })]),
  ]);
  await waitFor(() => {
    expect(screen.getAllByText('Part 1. Weft.')).toHaveLength(2);
  });
  far();
  expect(screen.queryByText('Part 60. A quernstone.')).toBeNull();
  await user.type(screen.getByRole('searchbox'), 'quernstone');
  await waitFor(() => {
    expect(led()).toBe('Part 60. A quernstone.');
  });
  far();
  await waitFor(() => {
    expect(screen.queryByText('Part 60. A quernstone.')).toBeNull();
  });
});

it('goes from place to place in a message, upwards, before it goes to the next message', async () => {
  const { user } = open([
    reply(1, [long({ 5: 'A quernstone.' })]),
    reply(2, [long({ 7: 'Quernstone.', 40: 'A quernstone.' })]),
  ]);
  const find = screen.getByRole('searchbox');
  const at = async (count: string, sentence: string) => {
    await waitFor(() => {
      expect(within(screen.getByRole('search')).getByRole('status')).toHaveTextContent(count);
    });
    await waitFor(() => {
      expect(led()).toBe(sentence);
    });
  };
  await user.type(find, 'quernstone');
  await at('2 of 2 · 2 of 2 in it', 'Part 40. A quernstone.');
  await user.keyboard('{Enter}');
  await at('2 of 2 · 1 of 2 in it', 'Part 7. Quernstone.');
  await user.keyboard('{Enter}');
  await at('1 of 2', 'Part 5. A quernstone.');
  await user.keyboard('{Shift>}{Enter}{/Shift}');
  await at('2 of 2 · 1 of 2 in it', 'Part 7. Quernstone.');
});

it('leads to where the words of a search stand together', async () => {
  open([reply(1, [long({ 2: 'Red.', 9: 'The red wool.', 30: 'Wool.' })])], {
    messageId: 1,
    match: { words: ['red', 'wool'], at: null },
  });
  await waitFor(() => {
    expect(led()).toBe('Part 9. The red wool.');
  });
  expect(screen.getByRole('article')).toHaveFocus();
  act(() => {
    screen.getByRole('article').blur();
  });
  expect(screen.getByRole('article')).not.toHaveAttribute('tabindex');
});

it('opens the tool whose result holds the words', async () => {
  const tool: ContentPart = {
    type: 'tool',
    call: {
      callId: 'one',
      name: 'read_file',
      args: '{}',
      signature: null,
      state: { type: 'done', output: { text: 'a quernstone', whole: null, withheld: false } },
    },
  };
  open([reply(1, [tool, long({})])], { messageId: 1, match: { words: ['quernstone'], at: -1 } });
  await waitFor(() => {
    expect(led()).toBe('a quernstone');
  });
});

it('opens the tool that failed with the words', async () => {
  const state = { type: 'failed' as const, message: 'no quernstone there' };
  const call = { callId: 'one', name: 'read_file', args: '{}', signature: null, state };
  open([reply(1, [{ type: 'tool', call }, long({})])], {
    messageId: 1,
    match: { words: ['quernstone'], at: -1 },
  });
  await waitFor(() => {
    expect(led()).toBe('no quernstone there');
  });
});

it('marks the name of the file that came along, where the words are nowhere else', async () => {
  const file = (name: string, text: string): ContentPart => {
    return { type: 'file', blob: 1, name, mediaType: 'text/plain', text, bytes: 9 };
  };
  open([reply(1, [file('looms.txt', 'Weft.'), file('mills.txt', 'A quernstone.'), long({})])], {
    messageId: 1,
    match: { words: ['quernstone'], at: null },
  });
  await waitFor(() => {
    expect(words('current-match')).toEqual([' mills.txt']);
  });
});

it('leads back to where a reply was read, marks nothing there and offers the end', async () => {
  vi.spyOn(Element.prototype, 'clientHeight', 'get').mockReturnValue(800);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(16_000);
  open([reply(1, [long({})]), reply(2, [long({})])], { messageId: 1, top: -1_234 });
  await waitFor(() => {
    expect(screen.getByRole('log').scrollTop).toBe(1_234);
  });
  expect(document.querySelector('[data-spot]')).toBeNull();
  expect(screen.getByRole('button', { name: 'To the end' })).toBeVisible();
});

it('leaves the view to whoever scrolls', async () => {
  const { rerender } = open([reply(1, [long({ 60: 'A quernstone.' })])]);
  await screen.findByText('Part 1. Weft.');
  const view = screen.getByRole('log');
  rerender(<Thread begin={{ messageId: 1, match: { words: ['quernstone'], at: 0 } }} />);
  fireEvent.wheel(view);
  await act(() => new Promise((done) => requestAnimationFrame(done)));
  expect(view.scrollTop).toBe(0);
});

it('marks nothing any more once the bar is closed', async () => {
  const { user } = open([reply(1, [long({ 5: 'A quernstone.' })])]);
  await user.type(screen.getByRole('searchbox'), 'quernstone');
  await waitFor(() => {
    expect([...painted.keys()].toSorted()).toEqual(['current-match', 'matches']);
  });
  await user.keyboard('{Escape}');
  await waitFor(() => {
    expect([...painted.keys()]).toEqual([]);
  });
});
