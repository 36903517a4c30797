import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { SettingsNotice } from './SettingsNotice';

const settings = (safeMode: boolean) =>
  backendWith({
    settings: () => Promise.resolve({ ...settingsViewOf(defaultSettings), safeMode }),
  });

it('says that the program runs in safe mode, for as long as it does', async () => {
  renderPart(<SettingsNotice />, settings(true));
  expect(await screen.findByText(/^Safe mode: no MCP server is started/u)).toBeVisible();
  expect(screen.queryByRole('button')).toBeNull();
});

it('says nothing of it otherwise', async () => {
  const { container } = renderPart(<SettingsNotice />, settings(false));
  await Promise.resolve();
  expect(container).toHaveTextContent('');
});
