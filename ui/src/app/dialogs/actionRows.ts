/**
 * The actions in the palette that have a control elsewhere: those of the open session, and those
 * of the app window.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionOverride, SessionView, Settings, Theme } from '../../ipc/bindings';
import type { PickerRow } from '../../kit/overlays/Picker';
import { useToast } from '../../kit/notifications/Toast';
import { useSaveSettings } from '../../settings/useSaveSettings';
import { useReportError } from '../../state/text/useReportError';
import { isSameModel } from '../../state/models/modelRef';
import { useModels, useSessions, useSettings } from '../../state/queries/queries';
import { strategies } from '../../state/models/useStrategyChoices';
import { useDeleteSession } from '../../sidebar/useDeleteSession';
import type { ThreadActions } from './Palette';
import type { AppNavigation } from '../navigation/appNavigation';

const efforts = ['default', 'off', 'low', 'medium', 'high'] as const;
const themes = ['system', 'light', 'dark'] as const satisfies readonly Theme[];
const languages = ['system', 'english', 'chinese'] as const;

/** The actions on the open session. */
export function useOpenSessionRows(
  view: SessionView,
  navigation: AppNavigation,
  threadActions: ThreadActions,
): PickerRow[] {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const remove = useDeleteSession();
  const { data: sessions = [] } = useSessions();
  const { data: models = [] } = useModels();
  const { id, overrides, currentThread } = view.session;
  const session = sessions.find((one) => one.id === id);
  const decide = (decided: SessionOverride) => () => {
    reportError(commands.setOverride(id, decided));
  };
  const known = models.find(({ model }) => isSameModel(model, view.model));
  const rows: (PickerRow | false | undefined)[] = [
    {
      key: 'reminders',
      icon: 'note',
      label: text('reminders.reminders'),
      run: navigation.toReminders,
    },
    session && {
      key: 'pin',
      icon: 'pin',
      label: text(session.pinned ? 'finding.unpinThis' : 'finding.pinThis'),
      run: () => {
        reportError(commands.pinSession(id, !session.pinned));
      },
    },
    session && {
      key: 'delete',
      icon: 'trash',
      label: text('finding.deleteThis'),
      run: () => {
        remove(session);
      },
    },
    {
      key: 'editLast',
      icon: 'edit',
      label: text('finding.editLast'),
      run: () => {
        // After the palette has closed: while it is open, nothing behind it can be focused.
        setTimeout(threadActions.editLast);
      },
    },
    {
      key: 'toEnd',
      icon: 'chevron-down',
      label: text('finding.toEndOfThread'),
      run: threadActions.toEnd,
    },
    ...view.threads
      .filter((thread) => thread.id !== threadActions.shown)
      .map((thread): PickerRow => ({
        key: `thread-${thread.id}`,
        icon: 'chat',
        label: text('finding.showThread', { number: thread.number }),
        ...(thread.id === currentThread && { detail: text('threads.current') }),
        run: () => {
          threadActions.toThread(thread.id);
        },
      })),
    ...(['on', 'off', null] as const)
      .filter((value) => value !== (overrides.autoCompaction ?? null))
      .map((value): PickerRow => ({
        key: `automatic-${value ?? 'follow'}`,
        icon: 'compress',
        label: text(`finding.automatic_${value ?? 'follow'}`),
        run: decide({ name: 'autoCompaction', value }),
      })),
    ...strategies
      .filter((value) => value !== view.strategy)
      .map((value): PickerRow => ({
        key: `strategy-${value}`,
        icon: 'compress',
        label: text('finding.strategy', { name: text(`strategy.${value}`) }),
        run: decide({ name: 'strategy', value }),
      })),
    ...(known?.spec.reasoning === true ? efforts : [])
      .filter((value) => value !== overrides.effort)
      .map((value): PickerRow => ({
        key: `effort-${value}`,
        icon: 'thinking',
        label: text('finding.effort', { name: text(`composer.effort_${value}`) }),
        run: decide({ name: 'effort', value }),
      })),
  ];
  return rows.filter((row) => row !== false && row !== undefined);
}

/** The actions of the app window, whatever is open in it. */
export function useAppRows(navigation: AppNavigation): PickerRow[] {
  const text = useText();
  const toast = useToast();
  const reportError = useReportError(toast);
  const save = useSaveSettings();
  const { commands } = useBackend();
  const appearance = useSettings().data?.settings.appearance;
  const change = (part: Partial<Settings['appearance']>) => () => {
    save((old) => ({ ...old, appearance: { ...old.appearance, ...part } }));
  };
  const backUp = async () => {
    const path = await commands.backUp();
    toast({ words: text('data.backedUp', { path }) });
  };
  return [
    {
      key: 'newProvider',
      icon: 'add',
      label: text('finding.newProvider'),
      run: () => {
        navigation.toProvider(null);
      },
    },
    {
      key: 'quickAsk',
      icon: 'chat',
      label: text('app.quickAsk'),
      run: () => {
        reportError(commands.openQuickAsk());
      },
    },
    {
      key: 'backUp',
      icon: 'archive',
      label: text('data.backUp'),
      run: () => {
        reportError(backUp());
      },
    },
    ...themes
      .filter((theme) => theme !== appearance?.theme)
      .map((theme): PickerRow => ({
        key: `theme-${theme}`,
        icon: 'settings',
        label: text('finding.theme', { name: text(`appearance.theme_${theme}`) }),
        run: change({ theme }),
      })),
    ...languages
      .filter((language) => language !== (appearance?.language ?? 'system'))
      .map((language): PickerRow => ({
        key: `language-${language}`,
        icon: 'settings',
        label: text('finding.language', { name: text(`appearance.language_${language}`) }),
        // In both languages, for users who cannot read the present one.
        also: 'language 语言',
        run: change({ language: language === 'system' ? null : language }),
      })),
  ];
}
