/**
 * The commands that complete the slash in the draft. The focus stays in the textarea, which points here by
 * `aria-activedescendant` and keeps its role: it has several lines.
 */
import { useEffect, useEffectEvent, useId, useState, type KeyboardEvent } from 'react';
import { useText } from '../../i18n';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import type { Command } from '../../state/app/command';
import { commandAwaitingArgument, suggestCommands } from './useCommands';
import './CommandMenu.css';

type CommandMenuState = {
  listId: string;
  rows: readonly Command[];
  active: number;
  choose: (command: Command) => void;
  onActive: (row: number) => void;
};

type CommandMenuOptions = {
  line: string;
  commands: readonly Command[];
  onRun: (command: Command) => void;
  onComplete: (line: string) => void;
};

const rowId = (listId: string, row: number) => `${listId}-${row}`;

/** The menu for the line of the draft, and the keys that it takes from the textarea while it is open. */
export function useCommandMenu({ line, commands, onRun, onComplete }: CommandMenuOptions) {
  const text = useText();
  const announce = useAnnounce();
  const listId = useId();
  const [selected, setSelected] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState(false);
  const suggestions = suggestCommands(line, commands);
  if (!suggestions && dismissed) setDismissed(false);
  const rows = dismissed ? null : suggestions;
  const count = rows?.length ?? 0;
  const active = Math.max(0, rows?.findIndex(({ name }) => name === selected) ?? 0);

  useEffect(() => {
    if (count > 0) announce(text('commands.found', { count }));
  }, [announce, text, count]);

  const complete = ({ name, argument }: Command) => {
    onComplete(`/${name}${argument ? ' ' : ''}`);
  };
  const choose = (command: Command) => {
    if (command.argument?.required === true) complete(command);
    else onRun(command);
  };
  const scrollToRow = (row: number) => {
    document.getElementById(rowId(listId, row))?.scrollIntoView({ block: 'nearest' });
  };
  const moveSelection = (by: number) => {
    const next = (active + by + count) % count;
    setSelected(rows?.[next]?.name ?? null);
    scrollToRow(next);
  };
  // The rows change with the line: the one that Enter runs stays in view.
  const scrollToActive = useEffectEvent(() => {
    scrollToRow(active);
  });
  useEffect(() => {
    scrollToActive();
  }, [line]);
  /** Returns whether the menu handled the key. */
  const onKey = (event: KeyboardEvent): boolean => {
    const command = rows?.[active];
    if (!command || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'ArrowDown') moveSelection(1);
    else if (event.key === 'ArrowUp') moveSelection(-1);
    else if (event.key === 'Enter') choose(command);
    else if (event.key === 'Tab') complete(command);
    else if (event.key === 'Escape') setDismissed(true);
    else return false;
    event.preventDefault();
    return true;
  };
  const menu: CommandMenuState | null = rows && {
    listId,
    rows,
    active,
    choose,
    onActive: (row) => {
      setSelected(rows[row]?.name ?? null);
    },
  };
  return {
    menu,
    onKey,
    hint: commandAwaitingArgument(line, commands)?.argument?.hint ?? null,
    ariaProps: rows
      ? ({
          'aria-controls': listId,
          'aria-autocomplete': 'list',
          'aria-activedescendant': rowId(listId, active),
        } as const)
      : null,
  };
}

export function CommandMenu({ menu }: { menu: CommandMenuState }) {
  const text = useText();
  const { listId, rows, active, choose, onActive } = menu;
  return (
    <div className="CommandMenu" id={listId} role="listbox" aria-label={text('commands.commands')}>
      {rows.map((command, row) => (
        // The textarea, which has the focus, handles the keys.
        // eslint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={command.name}
          id={rowId(listId, row)}
          className="CommandMenu-row"
          role="option"
          tabIndex={-1}
          aria-selected={row === active}
          onMouseDown={(event) => {
            event.preventDefault();
          }}
          onMouseMove={() => {
            onActive(row);
          }}
          onClick={() => {
            choose(command);
          }}
        >
          <span className="CommandMenu-name">{`/${command.name}`}</span>
          <span className="CommandMenu-description">
            {[command.description, command.argument?.hint].filter(Boolean).join(' · ')}
          </span>
        </div>
      ))}
    </div>
  );
}
