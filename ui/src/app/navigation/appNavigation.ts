import type { SearchHit, ProviderId, SessionId } from '../../ipc/bindings';
import type { SettingsPage } from '../../settings/settingsPages';

/** The ways from anywhere to what the window can show. */
export type AppNavigation = {
  toSession: (session: SessionId) => void;
  toHit: (hit: SearchHit) => void;
  /** `control`: the words of one of the page, behind those of what has to be opened for it. */
  toSettings: (page: SettingsPage, control?: readonly string[]) => void;
  /** To a provider's form; null: to that of a new one. */
  toProvider: (provider: ProviderId | null) => void;
  toReminders: () => void;
};
