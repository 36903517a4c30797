/**
 * The parts of the window that are loaded when they are first opened, or a moment after the window
 * stands: the start does not wait for them, and neither does the person who opens one later.
 */
import { lazy, useEffect, useState, type ComponentType } from 'react';

const loaders: (() => Promise<unknown>)[] = [];

/** A part that is there at once where it has been loaded, and else suspends until it is. */
function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ready = async () => (loaded ??= await load());
  loaders.push(ready);
  const Waiting = lazy(async () => ({ default: await ready() }));
  return function Later(props: Props) {
    // One for as long as it is open: another would begin anew.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...props} />;
  };
}

export const LazySettingsDialog = lazyComponent(
  async () => (await import('../../settings/dialog/SettingsDialog')).SettingsDialog,
);
export const LazyContextDialog = lazyComponent(
  async () => (await import('../../context/ContextDialog')).ContextDialog,
);
export const LazyCompareDialog = lazyComponent(
  async () => (await import('../../context/compaction/CompareDialog')).CompareDialog,
);
export const LazyShortcutsDialog = lazyComponent(
  async () => (await import('./ShortcutsDialog')).ShortcutsDialog,
);
export const LazyInstallServerDialog = lazyComponent(
  async () => (await import('./InstallServerDialog')).InstallServerDialog,
);
export const LazyPalette = lazyComponent(async () => (await import('./Palette')).Palette);
export const LazyRemindersPanel = lazyComponent(
  async () => (await import('../../reminders/RemindersPanel')).RemindersPanel,
);

/** How long after its start the window has nothing else to do, in ms. */
const preloadDelayMs = 1_500;

export function usePreloadPanels() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.all(loaders.map((load) => load()));
    }, preloadDelayMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}
