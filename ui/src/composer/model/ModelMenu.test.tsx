import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../test/render';
import type { ReasoningEffort, ModelRef, ModelView, SwitchPreview } from '../../ipc/bindings';
import { emptySession, defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { useSession } from '../../state/queries/queries';
import { ModelMenu } from './ModelMenu';

const ref = (model: string): ModelRef => ({ provider: 'loom', model });
const ids = ['warp', 'weft', 'reed', 'heald', 'shuttle', 'bobbin', 'treadle', 'spindle', 'sley'];
const models = ids.map((id): ModelView => ({
  model: ref(id),
  name: `The ${id[0]?.toUpperCase() ?? ''}`,
  providerName: 'Loom & Co',
  spec: { reasoning: id === 'weft' },
  follows: {},
}));

function Menu() {
  const { data } = useSession(1);
  return data ? <ModelMenu view={data} /> : null;
}

const fits: SwitchPreview = {
  consequence: 'fits',
  reading: null,
  used: { tokens: 1, basis: 'exact' },
  limit: null,
};

type Scenario = {
  model?: string;
  recent?: readonly string[];
  offered?: readonly ModelView[];
  effort?: ReasoningEffort | null;
  showCosts?: boolean;
};

function open(given: Scenario = {}) {
  const { model = 'warp', recent = [], offered = models, effort = null } = given;
  const { showCosts = true } = given;
  const previewModel = vi.fn(() => Promise.resolve(fits));
  const setModel = vi.fn(() => Promise.resolve(null));
  const setOverride = vi.fn(() => Promise.resolve(null));
  const renewModels = vi.fn(() => Promise.reject(new Error('nobody answers')));
  const settings = { ...defaultSettings, recentModels: recent.map(ref), showCosts };
  const shown = renderPart(
    <Menu />,
    backendWith({
      session: () => {
        const session = { ...emptySession.session, overrides: { effort } };
        return Promise.resolve({ ...emptySession, session, model: ref(model) });
      },
      models: () => Promise.resolve([...offered]),
      settings: () => Promise.resolve(settingsViewOf(settings)),
      previewModel,
      setModel,
      setOverride,
      renewModels,
    }),
  );
  return { ...shown, previewModel, setModel, setOverride, renewModels };
}

async function opened(given?: Scenario) {
  const shown = open(given);
  const box = await screen.findByRole('combobox', { name: 'Model' });
  await waitFor(() => {
    expect(box).toHaveTextContent(/^The/);
  });
  await shown.user.click(box);
  await waitFor(() => {
    expect(screen.getByRole('combobox', { name: 'Filter' })).toHaveFocus();
  });
  return shown;
}

const groups = () => screen.getAllByRole('group').map((group) => group.textContent);

it('begins with the models that were chosen last, each with its provider', async () => {
  const { user, setModel } = await opened({ recent: ['weft', 'warp', 'gone', 'reed'] });
  const [first, second] = groups().map((words) =>
    words.replace(/window unknown( · thinking)?/g, ''),
  );
  expect(first).toBe('RecentThe WLoom & CoThe RLoom & Co');
  expect(second).toMatch(/^Loom & CoThe WThe WThe R/);
  // The one that is chosen stands where it belongs.
  expect(screen.getAllByRole('option', { selected: true })).toHaveLength(1);
  await user.keyboard('{Home}{Enter}');
  await waitFor(() => {
    expect(setModel).toHaveBeenCalledExactlyOnceWith(1, ref('weft'));
  });
});

it('describes each model by its window and abilities, and names it by its name alone', async () => {
  const known = { value: 128_000, source: 'catalogue' as const };
  const spec = { window: known, tools: true, images: true, reasoning: true };
  const [warp, weft, ...others] = models;
  if (!warp || !weft) throw new Error('there are nine');
  const offered = [{ ...warp, spec }, { ...weft, spec: { tools: false } }, ...others];
  await opened({ offered, recent: ['weft'] });
  const [inRecent, ...rest] = screen.getAllByRole('option', { name: 'The W' });
  expect(inRecent).toHaveAccessibleDescription('Loom & Co window unknown · no tools');
  expect(rest[0]).toHaveAccessibleDescription('128k window · tools · pictures · thinking');
  expect(rest[1]).toHaveAccessibleDescription('window unknown · no tools');
});

it('says what a model costs where that is known, and nothing of it once costs are switched off', async () => {
  const prices = { currency: 'USD', standard: { base: { input: 250_000, output: 2_000_000 } } };
  const [warp, ...others] = models;
  if (!warp) throw new Error('there are nine');
  const offered = [{ ...warp, prices }, ...others];
  const { unmount } = await opened({ offered });
  const described = () =>
    screen.getAllByRole('option', { name: 'The W' }).map((it) => it.textContent);
  expect(described()[0]).toContain('window unknown · $0.25 / $2 per million tokens in/out');
  expect(described()[1]).not.toContain('$');
  unmount();
  await opened({ offered, showCosts: false });
  expect(described().join()).not.toContain('$');
});

it('says nothing of what was chosen last where no other model was, or all are seen at once', async () => {
  const { unmount } = await opened({ recent: ['warp'] });
  expect(screen.queryByText('Recent')).toBeNull();
  unmount();
  await opened({ recent: ['weft'], offered: models.slice(0, 8) });
  expect(screen.queryByText('Recent')).toBeNull();
});

it.each([
  ['its id', 'spin', 1],
  ['its provider', 'loom', 9],
  ['words of both, in any order', 'co tread', 1],
])('finds a model by %s, once', async (_, typed, count) => {
  const { user } = await opened({ recent: ['spindle', 'treadle'] });
  await user.keyboard(typed);
  await waitFor(() => {
    expect(screen.getAllByRole('option')).toHaveLength(count);
  });
});

it('offers how hard to think where the model is known to think, and nowhere else', async () => {
  const { unmount } = open({ model: 'weft' });
  expect(await screen.findByRole('combobox', { name: 'Thinking' })).toHaveTextContent('Thinking');
  unmount();
  open();
  const box = await screen.findByRole('combobox', { name: 'Model' });
  await waitFor(() => {
    expect(box).toHaveTextContent('The W');
  });
  expect(screen.queryByRole('combobox', { name: 'Thinking' })).toBeNull();
});

it.each([
  [null, 'Thinking', 'High', 'high'],
  ['high', 'Thinking: High', 'As set for the model', null],
] as const)(
  'changes how hard to think in the session from %s',
  async (effort, shown, name, value) => {
    const { user, setOverride } = open({ model: 'weft', effort });
    const box = await screen.findByRole('combobox', { name: 'Thinking' });
    expect(box).toHaveTextContent(shown);
    await user.click(box);
    await user.click(await screen.findByRole('option', { name }));
    expect(setOverride).toHaveBeenCalledExactlyOnceWith(1, { name: 'effort', value });
  },
);

it('asks for what a server on this machine has by now when it is opened, and needs no answer', async () => {
  const { renewModels } = await opened();
  expect(renewModels).toHaveBeenCalledOnce();
  expect(screen.getAllByRole('option')).toHaveLength(models.length);
});

it('takes the model that was chosen last, whichever is weighed first', async () => {
  const { user, previewModel, setModel } = await opened();
  let weighed: (preview: SwitchPreview) => void = () => undefined;
  previewModel.mockReturnValueOnce(new Promise((resolve) => (weighed = resolve)));
  await user.click(screen.getByRole('option', { name: 'The R' }));
  await user.click(screen.getByRole('combobox', { name: 'Model' }));
  await user.click(await screen.findByRole('option', { name: 'The H' }));
  await waitFor(() => {
    expect(setModel).toHaveBeenCalledExactlyOnceWith(1, ref('heald'));
  });
  weighed(fits);
  await act(() => Promise.resolve());
  expect(setModel).toHaveBeenCalledOnce();
});

it('calls a model by its name, and not by its id, which may be the path of a file', async () => {
  const { user, previewModel } = await opened();
  previewModel.mockResolvedValueOnce({ ...fits, consequence: 'unknown' });
  await user.click(screen.getByRole('option', { name: 'The R' }));
  expect(await screen.findByText(/^The R answers from now on/)).toBeVisible();
});

it('C03: says what reading the conversation costs with the model that was chosen', async () => {
  const usd = (amount: number) => ({ amount, currency: 'USD' });
  const reading = {
    type: 'between',
    least: usd(40_000_000_000),
    most: usd(60_000_000_000),
  } as const;
  const { user, previewModel, setModel } = await opened();
  previewModel.mockResolvedValueOnce({ ...fits, reading });
  await user.click(screen.getByRole('option', { name: 'The R' }));
  const said = await screen.findByText(/reading it once costs \$0\.04 to \$0\.06\.$/);
  expect(said).toBeVisible();
  await user.click(screen.getByRole('button', { name: 'Undo' }));
  expect(setModel).toHaveBeenLastCalledWith(1, ref('warp'));
});

it('says nothing of it where costs are switched off', async () => {
  const money = { amount: 40_000_000_000, currency: 'USD' };
  const { user, previewModel, setModel } = await opened({ showCosts: false });
  const reading = { type: 'between', least: money, most: money } as const;
  previewModel.mockResolvedValueOnce({ ...fits, reading });
  await user.click(screen.getByRole('option', { name: 'The R' }));
  await waitFor(() => {
    expect(setModel).toHaveBeenCalledOnce();
  });
  expect(screen.queryByText(/\$/)).toBeNull();
});
