/** The rows of the palette that lead to a setting, by the labels beside it. */
import { useText, type TextKey } from '../../i18n';
import type { PickerRow } from '../../kit/overlays/Picker';
import { isMac } from '../../kit/keyboard/shortcuts';
import { settingsPages, type SettingsPage } from '../../settings/settingsPages';
import type { AppNavigation } from '../navigation/appNavigation';

/** The labels of settings within "Advanced", which is expanded on the way. */
const advanced = [
  'upperBound.setting',
  'settings.outputReserve',
  'settings.keepRounds',
  'settings.keepToolRounds',
  'settings.archiveAt',
  'settings.toolCleaning',
  'settings.organisation',
  'settings.recallPassages',
] as const satisfies readonly TextKey[];

const controls = {
  context: [
    'settings.automatic',
    'settings.threshold',
    'settings.strategy',
    'settings.summaryModel',
    'settings.nameSessions',
    ...advanced,
  ],
  providers: ['settings.newSessionsModel', 'settings.addProvider'],
  appearance: [
    'appearance.theme',
    'appearance.language',
    'appearance.zoom',
    'appearance.notices',
    'appearance.replySpeech',
    ...(isMac ? [] : ['appearance.spelling' as const]),
  ],
  keyboard: ['keyboard.send', 'keyboard.shortcuts'],
  desktop: [
    'desktop.trayIcon',
    ...(isMac ? [] : ['desktop.closeToTray' as const]),
    'desktop.startAtLogin',
    'desktop.taskbar',
    'desktop.quickAskKeys',
  ],
  tools: [
    'toolSettings.loading',
    'toolSettings.tools',
    'toolSettings.generations',
    'toolSettings.search',
    'toolSettings.grants',
    'mcp.servers',
    'mcp.paste',
  ],
  memory: [
    'settings.everySession',
    'settings.instructions',
    'settings.memoryFiles',
    'settings.skills',
    'settings.prompts',
  ],
  data: [
    'data.places',
    'data.import',
    'data.exportAll',
    'data.dailyBackup',
    'data.backups',
    'data.restoreFile',
    'data.deleted',
  ],
  usage: ['usage.show', 'budgets.add', 'usage.export'],
  network: ['settings.proxy'],
  about: ['updates.title', 'settings.catalogueRefresh', 'settings.hosts', 'settings.licences'],
} as const satisfies Record<SettingsPage, readonly TextKey[]>;

type SettingKey = (typeof controls)[SettingsPage][number];

const isAdvanced = (key: SettingKey) => (advanced as readonly SettingKey[]).includes(key);

export function useSettingRows(navigation: AppNavigation): readonly PickerRow[] {
  const text = useText();
  const pages = settingsPages.map((page): PickerRow => ({
    key: `page-${page}`,
    icon: 'settings',
    label: text(`settings.page_${page}`),
    run: () => {
      navigation.toSettings(page);
    },
  }));
  const single = settingsPages.flatMap((page) =>
    controls[page].map((key: SettingKey): PickerRow => {
      const label = text(key);
      return {
        key: `setting-${key}`,
        icon: 'settings',
        label,
        // The page is no search text: its name would match all its settings.
        detail: [text(`settings.page_${page}`)],
        run: () => {
          navigation.toSettings(
            page,
            isAdvanced(key) ? [text('settings.advanced'), label] : [label],
          );
        },
      };
    }),
  );
  return [...pages, ...single];
}
