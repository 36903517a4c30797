import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import type { Backend } from '../ipc';
import type { SearchHit, SessionItem } from '../ipc/bindings';
import { idleSessionItem } from '../../test/fixtures/conversationFixtures';
import { backendWith, renderPart, sidebarElement } from '../../test/render';

it('says why a session could not be pinned or deleted', async () => {
  const refuse = () => Promise.reject(new Error('the disk is gone'));
  const { user } = renderPart(
    sidebarElement(),
    backendWith({ pinSession: refuse, deleteSessions: refuse }),
  );
  for (const asked of ['Pin', 'Delete']) {
    await user.click(await screen.findByRole('button', { name: 'Actions for Wool' }));
    await user.click(await screen.findByRole('menuitem', { name: asked }));
    const said = await screen.findByRole('alert');
    expect(said).toHaveTextContent('the disk is gone');
    await user.click(within(said).getByRole('button'));
  }
});

/** So many sessions of today, the latest first. */
const sessions = (count: number): SessionItem[] =>
  Array.from({ length: count }, (_, at) => ({
    ...idleSessionItem,
    id: at + 1,
    title: `Wool ${String(at + 1)}`,
    name: `Wool ${String(at + 1)}`,
    updatedAt: Date.now() - at,
  }));

it('has only those of two thousand sessions in the page that are near, and can be walked through', async () => {
  // jsdom has no layout: a line has the height of one.
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(32);
  const { user } = renderPart(
    sidebarElement(),
    backendWith({ sessions: () => Promise.resolve(sessions(2_000)) }),
  );
  const link = (number: number) => screen.getByRole('link', { name: `Wool ${String(number)}` });
  await screen.findByRole('link', { name: 'Wool 1' });
  expect(screen.getAllByRole('link').length).toBeLessThan(60);
  const [line] = screen.getAllByRole('listitem').filter((it) => it.contains(link(7)));
  expect(line).toHaveAttribute('aria-posinset', '7');
  expect(line).toHaveAttribute('aria-setsize', '2000');
  link(1).focus();
  await user.tab();
  expect(screen.getByRole('button', { name: 'Actions for Wool 1' })).toHaveFocus();
  await user.tab();
  expect(link(2)).toHaveFocus();

  // Wherever it is scrolled to, what holds the focus stays.
  const list = screen.getByRole('list').parentElement;
  if (list) list.scrollTop = 30_000;
  fireEvent.scroll(list ?? document.body);
  await screen.findByRole('link', { name: 'Wool 940' });
  expect(link(2)).toHaveFocus();
  expect(screen.queryByRole('link', { name: 'Wool 20' })).not.toBeInTheDocument();
});

it('brings the session that is open into view', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(32);
  vi.spyOn(Element.prototype, 'scrollHeight', 'get').mockReturnValue(70_000);
  const scrolled = vi.fn();
  Element.prototype.scrollTo = scrolled;
  const all = sessions(2_000).map((session) => ({ ...session, id: 2_000 - session.id }));
  renderPart(sidebarElement(), backendWith({ sessions: () => Promise.resolve(all) }));
  await screen.findByRole('link', { name: 'Wool 1' });
  const { top } = scrolled.mock.lastCall?.[0] as { top: number };
  expect(top).toBeGreaterThan(30_000);
});

it('is walked through with the arrows, line by line', async () => {
  vi.spyOn(HTMLElement.prototype, 'offsetHeight', 'get').mockReturnValue(32);
  const { user } = renderPart(
    sidebarElement(),
    backendWith({ sessions: () => Promise.resolve(sessions(30)) }),
  );
  const link = (number: number) => screen.findByRole('link', { name: `Wool ${String(number)}` });
  (await link(1)).focus();
  await user.keyboard('{ArrowDown}{ArrowDown}');
  expect(await link(3)).toHaveFocus();
  await user.keyboard('{ArrowUp}');
  expect(await link(2)).toHaveFocus();
});

it('is left by Escape where nothing is looked for, which then stops no reply', async () => {
  renderPart(sidebarElement());
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  expect(fireEvent.keyDown(box, { key: 'Escape' })).toBe(false);
});

it('marks what has ended in a session that is not open, and how', async () => {
  const [open, answered, cutOff, failed, again] = sessions(5);
  const unread = { unread: true } as const;
  const all = [
    ...(open ? [{ ...open, ...unread }] : []),
    ...(answered ? [{ ...answered, ...unread, ended: 'answered' as const }] : []),
    ...(cutOff ? [{ ...cutOff, ...unread, ended: 'cutOff' as const }] : []),
    ...(failed ? [{ ...failed, ...unread, ended: 'failed' as const }] : []),
    ...(again ? [{ ...again, ...unread, activity: 'replying' as const }] : []),
  ];
  renderPart(sidebarElement(), backendWith({ sessions: () => Promise.resolve(all) }));
  const link = (number: number) => screen.findByRole('link', { name: `Wool ${String(number)}` });
  expect(await link(2)).toHaveAccessibleDescription('New reply');
  expect(await link(3)).toHaveAccessibleDescription('The reply was cut off');
  expect(await link(4)).toHaveAccessibleDescription('The reply failed');
  expect(await link(5)).toHaveAccessibleDescription('Replying');
  expect((await link(5)).parentElement).toHaveAttribute('data-unread');
  expect((await link(1)).parentElement).not.toHaveAttribute('data-unread');
  expect(screen.getAllByRole('img')).toHaveLength(4);
});

it('puts sessions under their days, and says what each is doing', async () => {
  const [first, second] = sessions(2).map((session) => ({ ...session, updatedAt: 0 }));
  renderPart(
    sidebarElement(),
    backendWith({
      sessions: () =>
        Promise.resolve([
          ...(first ? [{ ...first, pinned: true, activity: 'replying' as const }] : []),
          ...(second ? [{ ...second, activity: 'asking' as const }] : []),
        ]),
    }),
  );
  expect(await screen.findByRole('heading', { name: 'Pinned' })).toBeVisible();
  expect(screen.getByRole('heading', { name: 'Earlier' })).toBeVisible();
  const marks = screen.getAllByRole('img').map((mark) => [mark.dataset.mark, mark.title]);
  expect(marks).toEqual([
    ['replying', 'Replying'],
    ['asking', 'Waiting for your answer'],
  ]);
});

it('calls a session without a title by its first words, and gives it none where nothing was written as one', async () => {
  const renamed = vi.fn(() => Promise.resolve(null));
  const [session] = sessions(1).map((one) => ({ ...one, title: null, name: 'Which wool?' }));
  const { user } = renderPart(
    sidebarElement(),
    backendWith({
      sessions: () => Promise.resolve(session ? [session] : []),
      renameSession: renamed,
    }),
  );
  const write = async (name: string) => {
    await user.click(await screen.findByRole('button', { name: 'Actions for Which wool?' }));
    await user.click(await screen.findByRole('menuitem', { name: 'Rename' }));
    const field = await screen.findByRole('textbox', { name: 'Title' });
    expect(field).toHaveValue('');
    await user.type(field, `${name}{Enter}`);
  };
  await write('');
  expect(renamed).not.toHaveBeenCalled();
  await write('Wool');
  expect(renamed).toHaveBeenCalledExactlyOnceWith(1, 'Wool');
});

it('tells sessions of one name apart by when the words were said', async () => {
  const said = (year: number): SearchHit => ({
    sessionId: year,
    sessionName: 'Wool',
    place: {
      threadId: 1,
      threadNumber: 1,
      messageId: year,
      messageNumber: 1,
      role: 'user',
      origin: 'person',
      at: new Date(year, 4, 3).getTime(),
    },
    excerpt: [{ text: 'wool', found: true }],
  });
  const { user } = renderPart(
    sidebarElement(),
    backendWith({ search: () => Promise.resolve([said(2019), said(2021)]) }),
  );
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), 'wool');
  const found = await screen.findByRole('list', { name: 'Found' });
  const names = within(found)
    .getAllByRole('button')
    .map((button) => button.textContent);
  expect(names).toEqual([expect.stringContaining('2019'), expect.stringContaining('2021')]);
});

it('asks at once for what was typed, and says how much was found', async () => {
  const hits: Record<string, SearchHit[]> = {
    wool: [1, 2].map((sessionId) => ({
      sessionId,
      sessionName: 'Wool',
      place: null,
      excerpt: [{ text: 'wool', found: true }],
    })),
  };
  const search = vi.fn((words: string) => Promise.resolve(hits[words] ?? []));
  const { user } = renderPart(sidebarElement(), backendWith({ search }));
  const box = screen.getByRole('searchbox', { name: 'Search' });
  await user.click(box);
  await user.paste('woo');
  await user.keyboard('l');
  expect(await screen.findByText('Found in 2 places')).toHaveAttribute('role', 'status');
  expect(search.mock.lastCall).toEqual(['wool', null, expect.any(Number)]);
  await user.clear(box);
  await user.paste('flax');
  expect(await screen.findByText('Nothing found for “flax”')).toHaveAttribute('role', 'status');
  expect(search.mock.lastCall).toEqual(['flax', null, expect.any(Number)]);
  expect(search.mock.calls.flat()).not.toContain('');
});

it('shows what was found within the first lines of its excerpt', async () => {
  const excerpt = [
    { text: '…' + '经线和纬线'.repeat(12), found: false },
    { text: '河流', found: true },
    { text: '流过织布机。', found: false },
  ];
  const hit: SearchHit = { sessionId: 1, sessionName: 'Wool', place: null, excerpt };
  const { user } = renderPart(
    sidebarElement(),
    backendWith({ search: () => Promise.resolve([hit]) }),
  );
  await user.type(screen.getByRole('searchbox', { name: 'Search' }), '河流');
  const mark = await screen.findByText('河流', { selector: 'mark' });
  expect(mark.previousSibling?.textContent).toBe('…' + '经线和纬线'.repeat(12).slice(-24));
  expect(mark.nextSibling?.textContent).toBe('流过织布机。');
});

it('ends a search in Rust as soon as another letter is typed, and none that has ended', async () => {
  const search = vi.fn<Backend['commands']['search']>((query) =>
    query === 'wool' ? new Promise<SearchHit[]>(() => undefined) : Promise.resolve([]),
  );
  const cancelSearch = vi.fn(() => Promise.resolve());
  const { user } = renderPart(sidebarElement(), backendWith({ search, cancelSearch }));
  const box = screen.getByRole('searchbox', { name: 'Search' });
  await user.click(box);
  await user.paste('woo');
  expect(await screen.findByText('Nothing found for “woo”')).toBeInTheDocument();
  await user.keyboard('l');
  await waitFor(() => {
    expect(search).toHaveBeenCalledTimes(2);
  });
  expect(cancelSearch).not.toHaveBeenCalled();
  await user.keyboard('e');
  expect(await screen.findByText('Nothing found for “woole”')).toBeInTheDocument();
  expect(cancelSearch).toHaveBeenCalledExactlyOnceWith(search.mock.calls[1]?.[2]);
});

it('shows the results of the latest search, though those of an earlier one arrive after them', async () => {
  const answers = new Map<string, (hits: SearchHit[]) => void>();
  const search = (query: string) =>
    new Promise<SearchHit[]>((resolve) => answers.set(query, resolve));
  const { user } = renderPart(sidebarElement(), backendWith({ search }));
  const hit = (text: string): SearchHit => ({
    sessionId: 1,
    sessionName: text,
    place: null,
    excerpt: [],
  });
  const box = await screen.findByRole('searchbox', { name: 'Search' });
  await user.type(box, 'wo');
  await vi.waitFor(() => {
    expect(answers.has('wo')).toBe(true);
  });
  await user.type(box, 'ol');
  await vi.waitFor(() => {
    expect(answers.has('wool')).toBe(true);
  });
  answers.get('wool')?.([hit('The latest')]);
  expect(await screen.findByText('The latest')).toBeVisible();
  answers.get('wo')?.([hit('The earlier')]);
  await new Promise((done) => setTimeout(done, 100));
  expect(screen.getByText('The latest')).toBeVisible();
  expect(screen.queryByText('The earlier')).toBeNull();
  expect(box).toHaveValue('wool');
});
