/**
 * Parts of the app window that are loaded when they are first opened, or a moment after the start,
 * so that they delay neither the start nor their opening.
 */
import { lazy, useEffect, useState, type ComponentType } from 'react';

const loaders: (() => Promise<unknown>)[] = [];

/** A component that renders at once if it is loaded, and suspends otherwise. */
function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ready = async () => (loaded ??= await load());
  loaders.push(ready);
  const Waiting = lazy(async () => ({ default: await ready() }));
  return function Later(props: Props) {
    // The component must not change while it is mounted, because it would lose its state.
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
export const LazySentRequestDialog = lazyComponent(
  async () => (await import('../../context/SentRequestDialog')).SentRequestDialog,
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
export const LazyAsidePanel = lazyComponent(
  async () => (await import('../../aside/AsidePanel')).AsidePanel,
);
export const LazyRemindersPanel = lazyComponent(
  async () => (await import('../../reminders/RemindersPanel')).RemindersPanel,
);

/** The delay of preloading after the start, in ms. */
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
