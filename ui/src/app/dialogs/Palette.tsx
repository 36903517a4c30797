/** The command palette (Ctrl+K): finds anything that can be opened or done by a few letters. */
import { useState } from 'react';
import { useChooseModel } from '../../composer/model/useChooseModel';
import { useText } from '../../i18n';
import type { SearchHit, SessionView, ThreadId } from '../../ipc/bindings';
import { useComposedText } from '../../kit/keyboard/useComposedText';
import { Picker, type PickerRow } from '../../kit/overlays/Picker';
import type { IconName } from '../../kit/controls/Icon';
import { useShortcuts } from '../../kit/keyboard/shortcuts';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import type { Command } from '../../state/app/command';
import { useProviderName } from '../../state/models/demoModel';
import { modelKey } from '../../state/models/modelRef';
import { optional, useModels, useSessions } from '../../state/queries/queries';
import { useSearch } from '../../state/queries/useSearch';
import { useDebounced } from '../../state/hooks/useDebounced';
import { searchRestMs } from '../../state/app/searchLimits';
import { useOpenSessionRows, useAppRows } from './actionRows';
import { filterItems } from './filterItems';
import { useSettingRows } from './settingRows';
import type { AppNavigation } from '../navigation/appNavigation';

/** The number of shown rows of a group; more letters find the others. */
const maxRowsPerGroup = 6;

/** The icons of shortcuts and commands; the others have a common one. */
const icons: Partial<Record<string, IconName>> = {
  'Mod+N': 'add',
  'Mod+B': 'sidebar',
  'Mod+,': 'settings',
  'Mod+F': 'search',
  'Mod+Shift+F': 'search',
  'Mod+L': 'edit',
  'Mod+U': 'attach',
  'Mod+Shift+K': 'model',
  'Mod+Shift+C': 'copy',
  'Mod+Shift+G': 'refresh',
  'Mod+PageDown': 'chevron-down',
  'Mod+PageUp': 'chevron-up',
  'Mod+Z': 'undo',
  F2: 'edit',
  context: 'info',
  compact: 'compress',
  'undo-compact': 'undo',
  'redo-compact': 'redo',
  new: 'add',
  clear: 'note',
  instructions: 'book',
  export: 'download',
};

/** Actions on the shown thread. */
export type ThreadActions = {
  shown: ThreadId;
  toThread: (thread: ThreadId) => void;
  toEnd: () => void;
  editLast: () => unknown;
};

type PaletteProps = {
  view: SessionView;
  commands: readonly Command[];
  navigation: AppNavigation;
  threadActions: ThreadActions;
  onClose: () => void;
};

export function Palette({ view, commands, navigation, threadActions, onClose }: PaletteProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const wanted = useComposedText(query);
  const { data: sessions = [] } = useSessions();
  const { data: models = [] } = useModels();
  const reportError = useReportError(useToast());
  const chooseModel = useChooseModel(view);
  const providerName = useProviderName();
  const shortcuts = useShortcuts();
  const hits = useMessageHits(wanted);
  const ofThis = useOpenSessionRows(view, navigation, threadActions);
  const ofWindow = useAppRows(navigation);
  const settings = useSettingRows(navigation);

  const rows = {
    // The open session is left out.
    sessions: sessions
      .filter(({ id }) => id !== view.session.id)
      .map(({ id, name, pinned }): PickerRow => ({
        key: `session-${id}`,
        icon: pinned ? 'pin' : 'chat',
        label: name ?? text('threads.untitled'),
        run: () => {
          navigation.toSession(id);
        },
      })),
    commands: [
      ...shortcuts
        .filter((shortcut) => shortcut.label !== text('finding.palette'))
        .map(({ keys: pressed, label, run }): PickerRow => {
          const icon = icons[pressed] ?? 'play';
          return { key: `key-${pressed}`, icon, label, keys: pressed, run };
        }),
      // A command with a required argument can only be written in the composer.
      ...commands
        .filter(({ argument }) => argument?.required !== true)
        .map(({ name, description, run }): PickerRow => {
          const label = `/${name}`;
          return {
            key: label,
            icon: icons[name] ?? 'play',
            label,
            detail: description,
            run: () => {
              reportError(run(null));
            },
          };
        }),
      ...ofThis,
      ...ofWindow,
    ],
    settings,
    models: models.map((known): PickerRow => ({
      key: `model-${modelKey(known.model)}`,
      icon: 'model',
      label: text('finding.useModel', { model: known.name }),
      detail: providerName(known),
      also: known.model.model,
      run: () => {
        chooseModel(known.model);
      },
    })),
    messages: hits.map((hit, at): PickerRow =>
      messageRow(hit, at, navigation, text('threads.untitled')),
    ),
  };
  const order = ['sessions', 'commands', 'settings', 'models', 'messages'] as const;
  return (
    <Picker
      label={text('finding.palette')}
      placeholder={text('finding.palettePrompt')}
      query={query}
      onQuery={setQuery}
      groups={order.map((name) => ({
        name: text(`finding.${name}`),
        // Search hits were matched by the search's own rules.
        rows: (name === 'messages' ? rows.messages : filterItems(wanted, rows[name])).slice(
          0,
          maxRowsPerGroup,
        ),
      }))}
      emptyText={text('finding.nothing')}
      onClose={onClose}
    />
  );
}

function messageRow(
  hit: SearchHit,
  at: number,
  navigation: AppNavigation,
  untitled: string,
): PickerRow {
  return {
    key: `hit-${at}`,
    icon: 'search',
    label: hit.sessionName ?? untitled,
    detail: hit.excerpt.map((piece, index) =>
      piece.found ? <mark key={index}>{piece.text}</mark> : piece.text,
    ),
    run: () => {
      navigation.toHit(hit);
    },
  };
}

/**
 * The messages that contain the words. Hits in titles are left out, because the sessions contain
 * them.
 */
function useMessageHits(query: string): readonly SearchHit[] {
  const { data } = useSearch(useDebounced(query.trim(), searchRestMs), optional);
  const hits = data?.hits ?? [];
  return query.trim() === '' ? [] : hits.filter(({ place }) => place !== null);
}
