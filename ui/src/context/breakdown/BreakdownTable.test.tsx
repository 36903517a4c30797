import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { emptyBreakdown } from '../../../test/fixtures/breakdownFixtures';
import { backendWith, renderPart } from '../../../test/render';
import type { Breakdown } from '../../ipc/bindings';
import { BreakdownTable } from './BreakdownTable';

function open(showCosts: boolean) {
  const breakdown: Breakdown = {
    ...emptyBreakdown,
    mode: { type: 'reported', total: 500, cached: null },
    priceStep: 2_000,
  };
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  return renderPart(
    <BreakdownTable breakdown={breakdown} />,
    backendWith({ settings: () => Promise.resolve(settings) }),
  );
}

it('says and marks where the price rises', async () => {
  const { container } = open(true);
  expect(await screen.findByText(/From 2,000 tokens on.*costs more/)).toBeVisible();
  expect(container.querySelector('.BreakdownBar-step')).not.toBeNull();
});

it('says nothing of the price where costs are switched off', async () => {
  const { container } = open(false);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(screen.queryByText(/costs more/)).toBeNull();
  expect(container.querySelector('.BreakdownBar-step')).toBeNull();
});
