import { act, render, screen } from '@testing-library/react';
import { useRef } from 'react';
import { beforeEach, expect, test, vi } from 'vitest';
import { Markdown } from './Markdown';
import { PlainText } from './PlainText';
import { BlockVirtualizerContext, useBlockVirtualizer } from './blockVirtualization';

/** Reports an element as near the view, or not, in place of the webview. */
let tell: (element: Element, near: boolean) => void;
let resize: () => void;

beforeEach(() => {
  const watched = new Set<Element>();
  class Observer {
    constructor(seen: (entries: object[]) => void) {
      tell = (target, isIntersecting) => {
        if (!watched.has(target)) return;
        act(() => {
          seen([{ target, isIntersecting }]);
        });
      };
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
  class Resized {
    constructor(changed: () => void) {
      resize = () => {
        act(changed);
      };
    }
    observe() {
      return;
    }
    disconnect() {
      return;
    }
  }
  vi.stubGlobal('IntersectionObserver', Observer);
  vi.stubGlobal('ResizeObserver', Resized);
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 700, 840));
});

function Reading({ text, streaming = false }: { text: string; streaming?: boolean }) {
  const scroller = useRef<HTMLDivElement>(null);
  const reach = useBlockVirtualizer(scroller);
  return (
    <div ref={scroller} data-testid="scroller">
      <BlockVirtualizerContext value={reach}>
        <Markdown text={text} streaming={streaming} />
      </BlockVirtualizerContext>
    </div>
  );
}

const paragraphs = (count: number) =>
  Array.from({ length: count }, (_, at) => `Row [${at + 1}](https://a.example/${at + 1}).`).join(
    '\n\n',
  );
const groups = (container: Element) => [
  ...container.querySelectorAll<HTMLElement>('.Markdown-group'),
];
/** All groups come near the view: first those that are in the page, then those inside of them. */
function tellAll(container: Element) {
  for (const group of groups(container)) tell(group, true);
  for (const group of groups(container)) tell(group, true);
}
const elementsIn = (container: Element) => container.querySelectorAll('*').length;
const frame = () => act(() => new Promise((done) => requestAnimationFrame(done)));

test('what is far from the view leaves its height, and comes back when it is near', () => {
  const { container } = render(<Reading text={paragraphs(20)} />);
  const [first, second] = groups(container);
  if (!first || !second) throw new Error('twenty paragraphs are more than one group');
  const words = first.textContent;
  tell(first, false);
  expect(first).toBeEmptyDOMElement();
  expect(first).toHaveStyle({ height: '840px' });
  expect(second).toHaveTextContent('Row 9.');
  tell(first, true);
  expect(first.textContent).toBe(words);
  expect(first.style.height).toBe('');
});

test('what still grows stays, and so does a text of one group', () => {
  const { container, rerender } = render(<Reading text={paragraphs(20)} streaming />);
  const last = groups(container).at(-1);
  if (!last) throw new Error('there is a text');
  tell(last, false);
  expect(last).toHaveTextContent('Row 20.');
  rerender(<Reading text={paragraphs(20)} />);
  tell(last, false);
  expect(last).toBeEmptyDOMElement();
  rerender(<Reading text={paragraphs(3)} />);
  const [only] = groups(container);
  if (!only) throw new Error('there is a text');
  tell(only, false);
  expect(only).toHaveTextContent('Row 3.');
});

test('another text in its place is shown, not the height of the one before', () => {
  const { container, rerender } = render(<Reading text={paragraphs(20)} />);
  const [first] = groups(container);
  if (!first) throw new Error('there is a text');
  tell(first, false);
  rerender(<Reading text={`New. ${paragraphs(20)}`} />);
  expect(groups(container)[0]).toHaveTextContent('New.');
});

test('what is selected is in the page from its beginning to its end, however far away', async () => {
  const { container } = render(<Reading text={paragraphs(40)} />);
  const all = groups(container);
  for (const group of all) tell(group, group === all.at(-1));
  expect(container).not.toHaveTextContent('Row 1.');
  getSelection()?.selectAllChildren(container);
  document.dispatchEvent(new Event('selectionchange'));
  await frame();
  expect(getSelection()?.toString()).toContain('Row 1.');
  expect(container).toHaveTextContent('Row 17.');
  getSelection()?.removeAllRanges();
  document.dispatchEvent(new Event('selectionchange'));
  await frame();
  expect(container).not.toHaveTextContent('Row 1.');
  expect(container).toHaveTextContent('Row 40.');
});

test('what has the focus stays until the focus has gone', async () => {
  const { container } = render(<Reading text={paragraphs(20)} />);
  const [first] = groups(container);
  if (!first) throw new Error('there is a text');
  const link = screen.getByRole('link', { name: '2' });
  act(() => {
    link.focus();
  });
  tell(first, false);
  expect(link).toHaveFocus();
  act(() => {
    link.blur();
  });
  await frame();
  expect(first).toBeEmptyDOMElement();
});

test('in another width everything is measured anew', () => {
  const { container } = render(<Reading text={paragraphs(20)} />);
  const [first] = groups(container);
  if (!first) throw new Error('there is a text');
  tell(first, false);
  vi.spyOn(screen.getByTestId('scroller'), 'clientWidth', 'get').mockReturnValue(360);
  resize();
  expect(first).toHaveTextContent('Row 1.');
  vi.spyOn(first, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 360, 1_200));
  tell(first, false);
  expect(first).toHaveStyle({ height: '1200px' });
});

const line = 'x'.repeat(1_000_000);

function Pasted({ text = line }: { text?: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  return (
    <div ref={scroller}>
      <BlockVirtualizerContext value={useBlockVirtualizer(scroller)}>
        <PlainText className="Message-words" text={text} lineHeight={20} />
      </BlockVirtualizerContext>
    </div>
  );
}

test('one line of a megabyte is a few screens in the page, and all of it when it is looked for', () => {
  for (const view of [<Pasted key={0} />, <Reading key={1} text={line} />]) {
    const { container, unmount } = render(view);
    expect(container.textContent.length).toBeLessThan(100_000);
    for (const { textContent } of container.querySelectorAll('p'))
      expect(textContent.length).toBeLessThan(10_000);
    expect(Number.parseInt(groups(container)[1]?.style.height ?? '')).toBeGreaterThan(1000);
    tellAll(container);
    expect(container.textContent).toBe(line);
    unmount();
  }
});

test('a pasted line is opened with its last portion alone, which is longer than the view is high', () => {
  const { container } = render(<Pasted />);
  expect(container.querySelectorAll('p')).toHaveLength(1);
  expect(groups(container).at(-1)).toHaveTextContent(/^x+$/);
});

test('five megabytes are opened with few elements, which is what a key pressed meanwhile waits for', () => {
  const { container } = render(<Pasted text={line.repeat(5)} />);
  expect(container.querySelectorAll('*').length).toBeLessThan(100);
  tellAll(container);
  expect(container.textContent).toBe(line.repeat(5));
});

test('a portion that left with what surrounds it comes back with its height', () => {
  const { container } = render(<Pasted />);
  const inner = () => container.querySelector<HTMLElement>('.Markdown-group .Markdown-group');
  const [chunk] = groups(container);
  if (!chunk) throw new Error('a megabyte is several chunks');
  tell(chunk, true);
  const first = inner();
  if (!first) throw new Error('a chunk has several groups');
  tell(first, true);
  tell(first, false);
  expect(first).toHaveStyle({ height: '840px' });
  tell(chunk, false);
  expect(chunk).toBeEmptyDOMElement();
  tell(chunk, true);
  expect(inner()).not.toBe(first);
  expect(inner()).toHaveStyle({ height: '840px' });
});

test('of what a growing line gained between two frames its last portions are mounted', () => {
  const { container, rerender } = render(<Reading text={line.slice(0, 50_000)} streaming />);
  const before = container.textContent.length;
  rerender(<Reading text={line.slice(0, 250_000)} streaming />);
  expect(container.textContent.length - before).toBeLessThan(20_000);
  for (const group of groups(container)) tell(group, true);
  expect(container.textContent).toBe(line.slice(0, 250_000));
});

test('a reply that was one line of a megabyte mounts no more of it when it ends', () => {
  const { container, rerender } = render(<Reading text={line} streaming />);
  rerender(<Reading text={line} />);
  expect(container.textContent.length).toBeLessThan(100_000);
  tellAll(container);
  expect(container.textContent).toBe(line);
});

test('of a thousand paragraphs between two frames those near the end are mounted', () => {
  const text = paragraphs(1000);
  const { container, rerender } = render(<Reading text={text.slice(0, 100)} streaming />);
  rerender(<Reading text={text} streaming />);
  expect(container.querySelectorAll('p').length).toBeLessThan(200);
  expect(groups(container).at(-1)).toHaveTextContent('Row 1000.');
  const left = groups(container)[20];
  expect(Number.parseInt(left?.style.height ?? '')).toBe(8 * (24 + 12));
  for (const group of groups(container)) tell(group, true);
  expect(container.querySelectorAll('p')).toHaveLength(1000);
});

test('a reply of a thousand paragraphs is opened with its beginning and its end', () => {
  const { container } = render(<Reading text={paragraphs(1000)} />);
  expect(container.querySelectorAll('p').length).toBeLessThan(200);
  expect(groups(container)[0]).toHaveTextContent('Row 1.');
  expect(groups(container).at(-1)).toHaveTextContent('Row 1000.');
  for (const group of groups(container)) tell(group, true);
  expect(container.querySelectorAll('p')).toHaveLength(1000);
});

test('another width measures nothing that was never shown', () => {
  const { container } = render(<Pasted />);
  const { length } = container.textContent;
  resize();
  expect(container.textContent.length).toBe(length);
});

const fenced = `\`\`\`json\n${line}\n\`\`\``;

test('one line of a megabyte in a fence is a few screens in the page, and all of it when it is near', () => {
  const { container } = render(<Reading text={fenced} />);
  expect(container.textContent.length).toBeLessThan(100_000);
  for (const { textContent } of container.querySelectorAll('pre span'))
    expect(textContent.length).toBeLessThan(10_000);
  tellAll(container);
  expect(container.querySelector('code')?.textContent).toBe(line);
});

test('a line that grows in a fence changes nothing of what is already far from the view', () => {
  const open = (chars: number) => `\`\`\`json\n${line.slice(0, chars)}`;
  const { container, rerender } = render(<Reading text={open(200_000)} streaming />);
  const first = container.querySelector('code .Markdown-group .Markdown-group');
  if (!first) throw new Error('there is code');
  tell(first, false);
  expect(first).toBeEmptyDOMElement();
  rerender(<Reading text={open(400_000)} streaming />);
  expect(container.querySelector('code .Markdown-group .Markdown-group')).toBe(first);
  expect(first, 'it does not come back because more has arrived').toBeEmptyDOMElement();
});

const rowsOf = (row: (at: number) => string, count = 1500) =>
  Array.from({ length: count }, (_, at) => row(at + 1)).join('\n');

const fiveMegabytes = [
  ['a line', line.repeat(5)],
  ['lines', 'the weft crosses the warp\n'.repeat(200_000)],
  ['code of one line', `\`\`\`json\n${line.repeat(5)}\n\`\`\``],
  ['code', `\`\`\`rust\n${'    let weft = warp(12);\n'.repeat(200_000)}\`\`\``],
] as const;

test.each(fiveMegabytes)('a reply with %s of 5 MB is opened with few elements', (_, text) => {
  const { container } = render(<Reading text={text} />);
  expect(elementsIn(container)).toBeLessThan(100);
  const longest = [...container.querySelectorAll('p, pre span')].map((it) => it.textContent.length);
  expect(Math.max(...longest)).toBeLessThan(10_000);
});

test('code of many lines is all in the page when it is near, and is not wrapped', () => {
  const code = rowsOf((at) => `    let weft${at} = warp(12);`, 8000);
  const { container } = render(<Reading text={`\`\`\`rust\n${code}\n\`\`\``} />);
  expect(container.textContent.length).toBeLessThan(20_000);
  tellAll(container);
  const portions = [...container.querySelectorAll('code span')];
  expect(portions.map(({ textContent }) => textContent).join('\n')).toBe(code);
  expect(container.querySelector('[data-wraps]')).toBeNull();
});

test('of a line that grows nothing is mounted again but its end', () => {
  const { container, rerender } = render(<Reading text={line.slice(0, 300_000)} streaming />);
  tellAll(container);
  const before = [...container.querySelectorAll('p')];
  const texts = before.map(({ textContent }) => textContent);
  rerender(<Reading text={line.slice(0, 400_000)} streaming />);
  rerender(<Reading text={line.slice(0, 400_000)} />);
  const after = container.querySelectorAll('p');
  const kept = before.filter((it, at) => it === after[at] && it.textContent === texts[at]);
  expect(kept.length).toBeGreaterThanOrEqual(before.length - 2);
});

const longBlocks = [
  ['list', rowsOf((at) => `${at}. item *${at}*`)],
  ['list behind a line', `Items:\n${rowsOf((at) => `- item *${at}*`)}`],
  ['list in an item', `- top\n${rowsOf((at) => `  - item *${at}*`)}`],
  ['quotation', rowsOf((at) => `> item *${at}*\n>`)],
  ['list in a quotation', rowsOf((at) => `> - item *${at}*`)],
  ['table', `| a | b |\n|---|---|\n${rowsOf((at) => `| item | *${at}* |`)}`],
] as const;

test.each(longBlocks)('a %s of 1,500 parts is opened with a few hundred elements', (_, text) => {
  const { container } = render(<Reading text={text} />);
  expect(elementsIn(container)).toBeLessThan(2500);
  expect(container, 'it is opened at its end').toHaveTextContent('1500');
  for (const element of container.querySelectorAll('*')) tell(element, true);
  const shown = [...container.querySelectorAll('em')].map(({ textContent }) => textContent);
  expect(shown).toEqual(Array.from({ length: 1500 }, (_, at) => `${at + 1}`));
});

test('the parts of a long list are numbered one after the other', () => {
  const { container } = render(<Reading text={longBlocks[0][1]} />);
  let next = 1;
  for (const list of container.querySelectorAll('ol')) {
    expect(list.start).toBe(next);
    tell(list, true);
    next += list.children.length;
  }
  expect(next).toBe(1501);
});

test('a part of a list that is far from the view leaves its height', () => {
  const { container } = render(<Reading text={longBlocks[0][1]} />);
  const [first] = container.querySelectorAll('ol');
  if (!first) throw new Error('there is a list');
  tell(first, true);
  expect(first).toHaveTextContent('item 1');
  tell(first, false);
  expect(first).toBeEmptyDOMElement();
  expect(first).toHaveStyle({ height: '840px' });
});

test('the items of a list that grows stay in the page when it becomes several', () => {
  const items = (count: number) => `before\n\n${rowsOf((at) => `- item ${at}`, count)}`;
  const { container, rerender } = render(<Reading text={items(400)} streaming />);
  const before = [...container.querySelectorAll('li')];
  for (const count of [600, 800, 1000]) rerender(<Reading text={items(count)} streaming />);
  expect(container.querySelectorAll('ul').length).toBeGreaterThan(1);
  const after = container.querySelectorAll('li');
  expect(before.every((it, at) => it === after[at])).toBe(true);
});

test('rows of a table far from the view stay away when it is parsed again as it grows', () => {
  const table = (rows: number) =>
    `| a | b |\n|---|---|\n${rowsOf((at) => `| item | *${at}* |`, rows)}\n`;
  const { container, rerender } = render(<Reading text={table(1000)} streaming />);
  const [first] = container.querySelectorAll('tbody');
  if (!first) throw new Error('there are rows');
  expect(first.querySelectorAll('td')).toHaveLength(0);
  rerender(<Reading text={table(2000)} streaming />);
  expect(first.querySelectorAll('td')).toHaveLength(0);
  expect(first.rows[0]?.style.height).toBe('9000px');
  tell(first, true);
  expect(first.rows[0]?.cells[1]).toHaveTextContent('1');
  expect(container.querySelectorAll('th')).toHaveLength(2);
});
