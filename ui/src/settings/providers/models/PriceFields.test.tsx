import { screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { backendWith, renderPart } from '../../../../test/render';
import { defaultSettings, settingsViewOf } from '../../../../test/fakeBackend';
import type { PriceOverride, PriceTable } from '../../../ipc/bindings';
import { PriceFields } from './PriceFields';

const known: PriceTable = {
  currency: 'USD',
  standard: { base: { input: 2_500_000, output: 15_000_000 } },
};

function open(own: PriceOverride = {}, showCosts = true) {
  const onSave = vi.fn();
  const settings = settingsViewOf({ ...defaultSettings, showCosts });
  const backend = backendWith({ settings: () => Promise.resolve(settings) });
  const shown = renderPart(<PriceFields {...{ own, known, onSave }} />, backend);
  return { ...shown, onSave };
}

it('saves a price as it is typed, and none that is no number', async () => {
  const { user, onSave } = open({ output: '8' });
  const input = await screen.findByRole('textbox', { name: 'Input' });
  await user.type(input, '0.1');
  await user.tab();
  expect(onSave).toHaveBeenCalledExactlyOnceWith({ output: '8', input: '0.1' });
  await user.type(screen.getByRole('textbox', { name: 'Read from the cache' }), 'cheap{Enter}');
  expect(screen.getByText('A price is a number such as 2.5.')).toBeVisible();
  await user.type(screen.getByRole('textbox', { name: 'Currency' }), 'cny{Enter}');
  expect(onSave).toHaveBeenLastCalledWith({ output: '8', currency: 'CNY' });
  expect(onSave).toHaveBeenCalledTimes(2);
});

it('says which prices hold where the user has none', async () => {
  open();
  const input = await screen.findByRole('textbox', { name: 'Input' });
  expect(input).toHaveAccessibleDescription('Follows $2.50');
});

it('is not there where costs are switched off', async () => {
  open({}, false);
  await waitFor(() => {
    expect(screen.queryByRole('textbox')).toBeNull();
  });
});
