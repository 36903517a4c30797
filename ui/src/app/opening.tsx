/**
 * The parts of the window that are loaded when they are first opened, or a moment after the window
 * stands: the start does not wait for them, and neither does the person who opens one later.
 */
import { lazy, useEffect, useState, type ComponentType } from 'react';

const loads: (() => Promise<unknown>)[] = [];

/** A part that is there at once where it has been loaded, and else suspends until it is. */
function later<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ready = async () => (loaded ??= await load());
  loads.push(ready);
  const Waiting = lazy(async () => ({ default: await ready() }));
  return function Later(props: Props) {
    // One for as long as it is open: another would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...props} />;
  };
}

export const SettingsDialog = later(
  async () => (await import('../settings/SettingsDialog')).SettingsDialog,
);
export const ContextDialog = later(
  async () => (await import('../context/ContextDialog')).ContextDialog,
);
export const CompareDialog = later(
  async () => (await import('../context/CompareDialog')).CompareDialog,
);
export const ShortcutsDialog = later(
  async () => (await import('./ShortcutsDialog')).ShortcutsDialog,
);
export const InstallDialog = later(async () => (await import('./InstallDialog')).InstallDialog);
export const Palette = later(async () => (await import('./Palette')).Palette);
export const RemindersPanel = later(
  async () => (await import('../reminders/RemindersPanel')).RemindersPanel,
);

/** How long after its start the window has nothing else to do, in ms. */
const moment = 1_500;

export function useLoadedAhead() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.all(loads.map((load) => load()));
    }, moment);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}
