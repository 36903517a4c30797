import { fireEvent } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { Settings } from '../../ipc/bindings';
import { defaultSettings, settingsViewOf } from '../../../test/fakeBackend';
import { backendWith, renderPart } from '../../../test/render';
import { useZoomKeys } from './useZoomKeys';

function Keys() {
  useZoomKeys();
  return null;
}

it('enlarges and shrinks everything a step at a time, and puts it back', async () => {
  let settings = defaultSettings;
  renderPart(
    <Keys />,
    backendWith({
      settings: () => Promise.resolve(settingsViewOf(settings)),
      saveSettings: (_: Settings, next: Settings) => {
        settings = next;
        return Promise.resolve(null);
      },
    }),
  );
  const zoom = () => settings.appearance.zoom;
  const press = (key: string, times = 1) => {
    for (let time = 0; time < times; time += 1) {
      fireEvent.keyDown(document.body, { key, ctrlKey: true });
    }
  };
  press('+', 2);
  await expect.poll(zoom).toBe(120);
  press('+', 9);
  await expect.poll(zoom).toBe(200);
  press('0');
  await expect.poll(zoom).toBe(100);
  press('-', 6);
  await expect.poll(zoom).toBe(50);
  settings = { ...settings, appearance: { ...settings.appearance, zoom: 250 } };
  press('+');
  press('-');
  await expect.poll(zoom).toBe(240);
});
