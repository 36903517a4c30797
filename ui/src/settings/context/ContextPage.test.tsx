import { screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { LanguageProvider } from '../../i18n';
import { defaultSettings } from '../../../test/fakeBackend';
import { unknownWindowNumbers } from '../../../test/fixtures/healthFixtures';
import { backendWith, renderPart } from '../../../test/render';
import { ContextPage } from './ContextPage';

const words = {
  en: { cost: 'Cost first', balanced: 'Balanced', information: 'Keep information' },
  zh: { cost: '成本优先', balanced: '平衡模式', information: '信息保留' },
} as const;

it.each([
  [40, 'cost'],
  [55, 'cost'],
  [60, 'balanced'],
  [70, 'balanced'],
  [75, 'information'],
  [90, 'information'],
] as const)('fr_4_5: a automatic of $0 percent is said to mean $1', (automatic, leaning) => {
  for (const language of ['en', 'zh'] as const) {
    const context = { ...defaultSettings.context, compactionThreshold: automatic };
    const { unmount } = renderPart(
      <LanguageProvider choice={language}>
        <ContextPage settings={{ ...defaultSettings, context }} save={() => undefined} />
      </LanguageProvider>,
    );
    const hint = new RegExp(`^${words[language][leaning]}[:：]`);
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(hint);
    unmount();
  }
});

it('fr_1_2: says of how many tokens the automatic is a percentage, and where that compacts', async () => {
  renderPart(<ContextPage settings={defaultSettings} save={() => undefined} />);
  await waitFor(() => {
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(
      /60% of the 4,096 tokens that demo-8k has left after room for the answer: compacts at 2,457\./,
    );
  });
});

it('fr_3_3: says what each share of the window is of where nobody knows the window', async () => {
  const { user } = renderPart(
    <ContextPage settings={defaultSettings} save={() => undefined} />,
    backendWith({ strategies: () => Promise.resolve(unknownWindowNumbers) }),
  );
  await waitFor(() => {
    expect(screen.getByRole('slider')).toHaveAccessibleDescription(/assumes 96,000 tokens/);
  });
  await user.click(screen.getByRole('button', { name: 'Advanced' }));
  for (const name of ['Room for the answer', 'Archive at (percent of the window)'])
    expect(screen.getByRole('textbox', { name })).toHaveAccessibleDescription(/weaver-1.+96,000/);
  expect(
    screen.getByRole('textbox', { name: 'Recent rounds kept word for word' }),
  ).not.toHaveAccessibleDescription(/96,000/);
});
