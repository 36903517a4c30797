import { act, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import fc from 'fast-check';
import type { ReactNode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { MarkdownActionsProvider, type MarkdownActions } from './markdownActions';
import { Markdown } from './Markdown';

function show(text: string, actions: Partial<MarkdownActions> = {}) {
  const all: MarkdownActions = {
    openLink: vi.fn(),
    copy: () => Promise.resolve(),
    saveCode: null,
    loadPicture: null,
    loadedPicture: () => null,
    openPicture: null,
    ...actions,
  };
  return render(<Markdown text={text} />, {
    wrapper: ({ children }: { children: ReactNode }) => (
      <MarkdownActionsProvider value={all}>{children}</MarkdownActionsProvider>
    ),
  });
}

test('a link is opened by the window, not in it', async () => {
  const openLink = vi.fn();
  show('see [the *page*](https://a.example/x)', { openLink });
  await userEvent.click(screen.getByRole('link', { name: 'the page' }));
  expect(openLink).toHaveBeenCalledExactlyOnceWith('https://a.example/x');
});

test('code is copied as it was written', async () => {
  const copy = vi.fn(() => Promise.resolve());
  show('```rust\nfn main() {}\n```', { copy });
  const code = screen.getByRole('group', { name: 'Code, rust' });
  expect(code).toHaveTextContent('fn main() {}');
  await userEvent.click(within(code).getByRole('button', { name: 'Copy code' }));
  expect(copy).toHaveBeenCalledExactlyOnceWith('fn main() {}');
});

test('code of one line of a megabyte is copied whole', async () => {
  const copy = vi.fn(() => Promise.resolve());
  const line = 'x'.repeat(1_000_000);
  show(`\`\`\`json\n${line}\n\`\`\``, { copy });
  await userEvent.click(screen.getByRole('button', { name: 'Copy code' }));
  expect(copy).toHaveBeenCalledExactlyOnceWith(line);
});

test('long lines of code are broken where the person wants them to be', async () => {
  show('```rust\nfn main() {}\n```');
  const code = () => screen.getByLabelText('Code, rust', { selector: 'pre' });
  const wrap = screen.getByRole('button', { name: 'Wrap long lines' });
  expect(code()).not.toHaveAttribute('data-wraps');
  await userEvent.click(wrap);
  expect(wrap).toHaveAttribute('aria-pressed', 'true');
  expect(code()).toHaveAttribute('data-wraps');
  await userEvent.click(wrap);
  expect(code()).not.toHaveAttribute('data-wraps');
});

test('code that comes back into the page is wrapped as it was left', async () => {
  const { unmount } = show('```rust\nfn spin() {}\n```');
  await userEvent.click(screen.getByRole('button', { name: 'Wrap long lines' }));
  unmount();
  show('```rust\nfn spin() {}\n```');
  expect(screen.getByLabelText('Code, rust', { selector: 'pre' })).toHaveAttribute('data-wraps');
});

test.each([
  ['rs', 'code.rs'],
  ['Python', 'code.py'],
  ['', 'code.txt'],
  ['../../evil', 'code.txt'],
])('code in “%s” is offered to be saved as %s', async (language, name) => {
  const saveCode = vi.fn();
  show(`\`\`\`${language}\nx\n\`\`\``, { saveCode });
  await userEvent.click(screen.getByRole('button', { name: 'Save as…' }));
  expect(saveCode).toHaveBeenCalledExactlyOnceWith('x', name);
});

test('code is not offered to be saved where no file can be chosen', () => {
  show('```rust\nfn main() {}\n```');
  expect(screen.queryByRole('button', { name: 'Save as…' })).toBeNull();
});

test('a picture from the network is fetched only when the person asks', async () => {
  const loadPicture = vi.fn(() => Promise.resolve('data:image/png;base64,AA=='));
  show('![a cat](https://pics.example/cat.png)', { loadPicture });
  expect(screen.queryByRole('img')).not.toBeInTheDocument();
  expect(screen.getByText('a cat · Image from pics.example')).toBeVisible();
  expect(loadPicture).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Load the image' }));
  expect(await screen.findByRole('img', { name: 'a cat' })).toHaveAttribute(
    'src',
    'data:image/png;base64,AA==',
  );
});

test('a picture in a link is fetched without opening it, and once it is seen leads where that does', async () => {
  const openLink = vi.fn();
  const openPicture = vi.fn();
  show('[![build](https://pics.example/badge.svg)](https://a.example/x)', {
    openLink,
    openPicture,
    loadPicture: () => Promise.resolve('data:image/png;base64,AA=='),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Load the image' }));
  const picture = await screen.findByRole('img', { name: 'build' });
  expect(openLink).not.toHaveBeenCalled();
  await userEvent.click(picture);
  expect(openLink).toHaveBeenCalledExactlyOnceWith('https://a.example/x');
  expect(openPicture).not.toHaveBeenCalled();
});

test('a picture that was fetched before is shown at once', () => {
  show('![a cat](https://pics.example/cat.png)', {
    loadedPicture: (address) => `data:,${address}`,
  });
  expect(screen.getByRole('img', { name: 'a cat' })).toHaveAttribute(
    'src',
    'data:,https://pics.example/cat.png',
  );
});

test('a picture that is seen opens over the window, under its name', async () => {
  const openPicture = vi.fn();
  show('![a cat](https://pics.example/cat.png)', {
    loadedPicture: () => 'data:image/png;base64,AA==',
    openPicture,
  });
  await userEvent.click(screen.getByRole('button', { name: 'Open a cat' }));
  expect(openPicture).toHaveBeenCalledExactlyOnceWith('data:image/png;base64,AA==', 'a cat');
});

test('a picture that cannot be fetched says so and can be asked for again', async () => {
  show('![a cat](https://pics.example/cat.png)', {
    loadPicture: () => Promise.reject(new Error('offline')),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Load the image' }));
  expect(await screen.findByText('The image could not be loaded')).toBeVisible();
  expect(screen.getByRole('button', { name: 'Load the image' })).toBeVisible();
});

test('tables, lists, tasks and headings are what they are', () => {
  show('## Plan\n\n- [x] one\n- [ ] two\n\n|a|b|\n|:-|-:|\n|1|2|');
  expect(screen.getByRole('heading', { name: 'Plan', level: 4 })).toBeVisible();
  expect(screen.getByRole('checkbox', { name: 'Done' })).toBeChecked();
  expect(screen.getByRole('checkbox', { name: 'Not done' })).toBeDisabled();
  expect(screen.getByRole('columnheader', { name: 'b' })).toHaveAttribute('data-align', 'right');
  expect(screen.getByRole('cell', { name: '2' })).toBeVisible();
});

test('a table that is wider than its text is a stop of the Tab key, and no other', () => {
  const seen: (() => void)[] = [];
  class Resized {
    constructor(tell: () => void) {
      seen.push(tell);
    }
    observe = () => undefined;
    disconnect = () => undefined;
  }
  vi.stubGlobal('ResizeObserver', Resized);
  show('|a|b|\n|:-|-:|\n|1|2|');
  const measure = (width: number) => {
    vi.spyOn(Element.prototype, 'scrollWidth', 'get').mockReturnValue(width);
    act(() => {
      for (const tell of seen) tell();
    });
  };
  measure(800);
  expect(screen.queryByRole('group', { name: 'Table' })).toBeNull();
  measure(1_200);
  expect(screen.getByRole('group', { name: 'Table' })).toHaveAttribute('tabindex', '0');
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('a list and a quotation are written from where their first letter says', () => {
  show('1. **שלום** hello\n   - hello\n\n> - 2: مرحبا\n\n- 一\n- مرحبا\n\n> 5');
  const ways = (role: string) => screen.getAllByRole(role).map((it) => it.getAttribute('dir'));
  expect(ways('list')).toEqual(['rtl', 'ltr', 'rtl', 'ltr']);
  expect(ways('blockquote')).toEqual(['rtl', null]);
});

test('a formula is typeset once its typesetter is there', async () => {
  const { container } = show('so $x^2$');
  expect(container).toHaveTextContent('x^2');
  await waitFor(() => {
    expect(container.querySelector('.katex')).not.toBeNull();
  });
});

test('a formula that is none is shown as it was written', async () => {
  const { container } = show('so $\\frac{$ and $y$');
  await waitFor(() => {
    expect(container.querySelector('.katex')).not.toBeNull();
  });
  expect(container).toHaveTextContent('\\frac{');
});

const attacks = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)><a href="javascript:alert(1)">x</a></svg>',
  '<iframe src="https://evil.example"></iframe>',
  '<style>*{display:none}</style>',
  '<a href="javascript:alert(1)">x</a>',
  '[x](javascript:alert(1))',
  '![x](javascript:alert(1))',
  '![x](https://evil.example/track.png)',
  '<javascript:alert(1)>',
  '[x]: javascript:alert(1)\n\n[x]',
  '```html\n<script>alert(1)</script>\n```',
  '$\\href{javascript:alert(1)}{x}$',
  '$\\includegraphics{https://evil.example/x.png}$',
  '$\\htmlData{x=y}{z}$',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '<math><mtext><script>alert(1)</script></mtext></math>',
  '[[[[[[x](javascript:alert(1))]]]]]',
  '<form action="https://evil.example"><input name=a><button>go</button></form>',
];

/** The elements that would run, fetch or submit, without those of KaTeX. */
function dangerous(root: Element) {
  return [...root.querySelectorAll('*')].filter(
    (element) =>
      /^(?:script|img|iframe|style|form|object|embed|link|base|meta|video|audio)$/i.test(
        element.tagName,
      ) ||
      element.getAttributeNames().some((name) => name.startsWith('on') || name === 'srcdoc') ||
      /^\s*(?:javascript|data|vbscript|file):/i.test(element.getAttribute('href') ?? '') ||
      element.hasAttribute('src'),
  );
}

describe('what would run is words', () => {
  test.each(attacks)('%s', async (attack) => {
    const { container } = show(`before ${attack}\n\n${attack}\n\n> - ${attack}\n\nafter`);
    await waitFor(() => {
      expect(container).toHaveTextContent('after');
    });
    expect(dangerous(container)).toEqual([]);
  });

  test('in any mixture', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...attacks, '*', '`', '\n', '\n\n', '> ', '- ', '[', '](', '|')),
        (parts) => {
          const { container, unmount } = show(parts.join(''));
          const found = dangerous(container);
          unmount();
          expect(found).toEqual([]);
        },
      ),
      { numRuns: 25 },
    );
  });
});
