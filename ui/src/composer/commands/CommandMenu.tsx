/**
 * The commands a slash in the box may become. The focus stays in the box, which points here by
 * `aria-activedescendant`: it is a text box of several lines and keeps that role.
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
  words: string;
  commands: readonly Command[];
  onRun: (command: Command) => void;
  onComplete: (line: string) => void;
};

const rowId = (listId: string, row: number) => `${listId}-${row}`;

/** The menu for what is written, and the keys it takes from the box while it is open. */
export function useCommandMenu({ words, commands, onRun, onComplete }: CommandMenuOptions) {
  const text = useText();
  const announce = useAnnounce();
  const listId = useId();
  const [chosen, setChosen] = useState<string | null>(null);
  const [dismissed, setDismissed] = useState(false);
  const suggestions = suggestCommands(words, commands);
  if (!suggestions && dismissed) setDismissed(false);
  const rows = dismissed ? null : suggestions;
  const count = rows?.length ?? 0;
  const active = Math.max(0, rows?.findIndex(({ name }) => name === chosen) ?? 0);

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
  const toRow = (row: number) => {
    document.getElementById(rowId(listId, row))?.scrollIntoView({ block: 'nearest' });
  };
  const step = (by: number) => {
    const next = (active + by + count) % count;
    setChosen(rows?.[next]?.name ?? null);
    toRow(next);
  };
  // Other words, other rows: the one that Enter runs is seen.
  const toActive = useEffectEvent(() => {
    toRow(active);
  });
  useEffect(() => {
    toActive();
  }, [words]);
  /** True where the key was the menu's. */
  const onKey = (event: KeyboardEvent): boolean => {
    const command = rows?.[active];
    if (!command || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    if (event.key === 'ArrowDown') step(1);
    else if (event.key === 'ArrowUp') step(-1);
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
      setChosen(rows[row]?.name ?? null);
    },
  };
  return {
    menu,
    onKey,
    hint: commandAwaitingArgument(words, commands)?.argument?.hint ?? null,
    ties: rows
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
        // Its keys are those of the box, where the focus is.
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
          <span className="CommandMenu-words">
            {[command.words, command.argument?.hint].filter(Boolean).join(' · ')}
          </span>
        </div>
      ))}
    </div>
  );
}
