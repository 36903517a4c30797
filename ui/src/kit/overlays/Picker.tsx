/**
 * One box and one list for whatever can be found or done: written into, walked with the arrows,
 * chosen with Enter. The focus stays in the box. What is in the list is decided outside.
 */
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Icon, type IconName } from '../controls/Icon';
import { OverlayContext } from '../layers/overlayStack';
import { useModal } from './useModal';
import { Shortcut } from '../layers/Shortcut';
import { isComposing } from '../layers/shortcuts';
import './Picker.css';

export type PickerRow = {
  /** Unlike every other row's. */
  key: string;
  icon: IconName;
  label: string;
  /** More about it, in quiet words. */
  detail?: ReactNode;
  /** More words it is found by. */
  also?: string;
  /** Keys that do the same. */
  keys?: string;
  run: () => void;
};

type PickerProps = {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  /** Groups without rows are left out. */
  groups: readonly { name: string; rows: readonly PickerRow[] }[];
  /** Said where there are no rows at all. */
  nothing: string;
  onClose: () => void;
};

export function Picker(props: PickerProps) {
  const { label, placeholder, query, onQuery, groups, nothing, onClose } = props;
  const listId = useId();
  const { layer, ties } = useModal(onClose);
  const [chosen, setChosen] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = groups.flatMap((group) => group.rows);
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === chosen),
  );
  const idOf = (row: PickerRow) => `${listId}-${row.key}`;

  const move = (to: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, to))];
    if (!row) return;
    setChosen(row.key);
    const element = [...(list.current?.querySelectorAll('[role="option"]') ?? [])].find(
      ({ id }) => id === idOf(row),
    );
    element?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (row: PickerRow | undefined) => {
    if (!row) return;
    // Closed first: what is done may open a dialog or move the focus itself.
    onClose();
    row.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown') move(active === rows.length - 1 ? 0 : active + 1);
    else if (event.key === 'ArrowUp') move(active === 0 ? rows.length - 1 : active - 1);
    else if (event.key === 'PageDown') move(active + 8);
    else if (event.key === 'PageUp') move(active - 8);
    else if (event.key === 'Enter') choose(rows[active]);
    else return;
    event.preventDefault();
  };
  const here = rows[active];

  return (
    <dialog {...ties} className="Modal Finder" aria-label={label}>
      {layer && (
        <OverlayContext value={layer}>
          <div className="Finder-box">
            <Icon name="search" />
            <input
              type="text"
              role="combobox"
              aria-label={label}
              aria-expanded={rows.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={here && idOf(here)}
              placeholder={placeholder}
              spellCheck={false}
              autoComplete="off"
              value={query}
              onChange={(event) => {
                setChosen(null);
                // What is found anew is read from its beginning.
                if (list.current) list.current.scrollTop = 0;
                onQuery(event.target.value);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <div className="Finder-list" ref={list} id={listId} role="listbox" aria-label={label}>
            {groups.map(
              (group) =>
                group.rows.length > 0 && (
                  <div key={group.name} role="group" aria-label={group.name}>
                    <div className="Finder-group" aria-hidden="true">
                      {group.name}
                    </div>
                    {group.rows.map((row) => (
                      // Its keys are those of the box, where the focus is.
                      // eslint-disable-next-line jsx-a11y/click-events-have-key-events
                      <div
                        key={row.key}
                        id={idOf(row)}
                        className="Finder-row"
                        role="option"
                        tabIndex={-1}
                        aria-selected={row === here}
                        onMouseDown={(event) => {
                          event.preventDefault();
                        }}
                        onMouseMove={() => {
                          setChosen(row.key);
                        }}
                        onClick={() => {
                          choose(row);
                        }}
                      >
                        <Icon name={row.icon} />
                        <span className="Finder-label" dir="auto">
                          {row.label}
                        </span>
                        {row.detail !== undefined && (
                          <span className="Finder-detail" dir="auto">
                            {row.detail}
                          </span>
                        )}
                        {row.keys !== undefined && <Shortcut keys={row.keys} />}
                      </div>
                    ))}
                  </div>
                ),
            )}
          </div>
          {rows.length === 0 && (
            <p className="Finder-nothing" role="status">
              {nothing}
            </p>
          )}
        </OverlayContext>
      )}
    </dialog>
  );
}
