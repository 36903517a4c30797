/**
 * Parts of the app window that are loaded when they are first opened, or a moment after the start,
 * so that they delay neither the start nor their opening.
 */
import { lazy, useEffect, useState, type ComponentType } from 'react';
import { loadPanelTexts } from '../../i18n';
import { loadPopups } from '../../kit/layers/popupLibrary';

const loaders: (() => Promise<unknown>)[] = [];

/** A component that renders at once if it is loaded, and suspends otherwise. */
function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let loaded: ComponentType<Props> | undefined;
  const ready = async () => {
    const [part] = await Promise.all([load(), loadPanelTexts()]);
    return (loaded ??= part);
  };
  loaders.push(ready);
  const Waiting = lazy(async () => ({ default: await ready() }));
  return function Later(props: Props) {
    // The component must not change while it is mounted, because it would lose its state.
    const [Part] = useState<ComponentType<Props>>(() => loaded ?? Waiting);
    return <Part {...props} />;
  };
}

export const LazyConversationBody = lazyComponent(
  async () => (await import('../conversation/ConversationBody')).ConversationBody,
);
export const LazySessionWindow = lazyComponent(
  async () => (await import('../SessionWindow')).SessionWindow,
);
export const LazyStartupError = lazyComponent(
  async () => (await import('../startup/StartupError')).StartupError,
);
export const LazyNotices = lazyComponent(
  async () => (await import('../../settings/notices/Notices')).Notices,
);
export const LazySessionOverlays = lazyComponent(
  async () => (await import('../../sidebar/session/SessionOverlays')).SessionOverlays,
);
export const LazyViewerDialog = lazyComponent(
  async () => (await import('../../transcript/viewer/ViewerDialog')).ViewerDialog,
);
export const LazyCloseConfirmation = lazyComponent(
  async () => (await import('./CloseConfirmation')).CloseConfirmation,
);
export const LazyExportDialog = lazyComponent(
  async () => (await import('../../sidebar/session/ExportDialog')).ExportDialog,
);
export const LazyInstructionsDialog = lazyComponent(
  async () => (await import('../../sidebar/session/InstructionsDialog')).InstructionsDialog,
);
export const LazySettingsDialog = lazyComponent(
  async () => (await import('../../settings/dialog/SettingsDialog')).SettingsDialog,
);
export const LazyContextDialog = lazyComponent(
  async () => (await import('../../context/ContextDialog')).ContextDialog,
);
export const LazySentRequestDialog = lazyComponent(
  async () => (await import('../../context/SentRequestDialog')).SentRequestDialog,
);
export const LazySummariseRangeDialog = lazyComponent(
  async () => (await import('../../context/compaction/SummariseRangeDialog')).SummariseRangeDialog,
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

function logFailedPreload(error: unknown) {
  console.error('a part of the window could not be preloaded', error);
}

/** Loads the popups right after the first frame, and the panels when the start is over. */
export function usePreloadPanels() {
  useEffect(() => {
    loadPopups().catch(logFailedPreload);
    const timer = setTimeout(() => {
      Promise.all(loaders.map((load) => load())).catch(logFailedPreload);
    }, preloadDelayMs);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}
