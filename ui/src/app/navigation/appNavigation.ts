import type { SearchHit, ProviderId, SessionId } from '../../ipc/bindings';
import type { SettingsPage } from '../../settings/settingsPages';

/** Opens anything that the app window can show. */
export type AppNavigation = {
  toSession: (session: SessionId) => void;
  /** Creates a session and opens it. */
  toNewSession: () => void;
  toHit: (hit: SearchHit) => void;
  /**
   * `control`: the label of a control of the page, after the labels of the sections that contain
   * it.
   */
  toSettings: (page: SettingsPage, control?: readonly string[]) => void;
  /** Opens a provider's form; null: the form of a new provider. */
  toProvider: (provider: ProviderId | null) => void;
  toReminders: () => void;
  toShortcuts: () => void;
};
