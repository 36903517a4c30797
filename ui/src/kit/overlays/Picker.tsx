/**
 * A modal with a search field and a list of results. The arrow keys move the selection, Enter chooses it, and
 * the focus stays in the field. The caller filters the rows.
 */
import { useId, useRef, useState, type KeyboardEvent, type ReactNode, type Ref } from 'react';
import { Icon, type IconName } from '../controls/Icon';
import { OverlayContext } from '../layers/overlayStack';
import { useModal } from './useModal';
import { Shortcut } from '../keyboard/Shortcut';
import { isComposing } from '../keyboard/shortcuts';
import './Picker.css';

export type PickerRow = {
  /** Unique among all rows. */
  key: string;
  icon: IconName;
  label: string;
  /** Secondary text. */
  detail?: ReactNode;
  /** More text that a query may match. */
  also?: string;
  /** The keyboard shortcut that does the same. */
  keys?: string;
  run: () => void;
};

type PickerGroup = { name: string; rows: readonly PickerRow[] };

type PickerProps = {
  label: string;
  placeholder: string;
  query: string;
  onQuery: (query: string) => void;
  /** Groups without rows are left out. */
  groups: readonly PickerGroup[];
  /** Shown if there are no rows at all. */
  emptyText: string;
  onClose: () => void;
};

/** Rows that PageUp and PageDown move by. */
const pageRows = 8;

export function Picker(props: PickerProps) {
  const { label, placeholder, query, onQuery, groups, emptyText, onClose } = props;
  const listId = useId();
  const { layer, dialogProps } = useModal(onClose);
  const [selected, setSelected] = useState<string | null>(null);
  const list = useRef<HTMLDivElement>(null);
  const rows = groups.flatMap((group) => group.rows);
  const active = Math.max(
    0,
    rows.findIndex(({ key }) => key === selected),
  );
  const activeRow = rows[active];
  const rowId = (row: PickerRow) => `${listId}-${row.key}`;

  const select = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))];
    if (!row) return;
    setSelected(row.key);
    document.getElementById(rowId(row))?.scrollIntoView({ block: 'nearest' });
  };
  const choose = (row: PickerRow | undefined) => {
    if (!row) return;
    // Closed first: the action may open a dialog or move the focus itself.
    onClose();
    row.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event.nativeEvent)) return;
    if (event.key === 'ArrowDown') select(active === rows.length - 1 ? 0 : active + 1);
    else if (event.key === 'ArrowUp') select(active === 0 ? rows.length - 1 : active - 1);
    else if (event.key === 'PageDown') select(active + pageRows);
    else if (event.key === 'PageUp') select(active - pageRows);
    else if (event.key === 'Enter') choose(activeRow);
    else return;
    event.preventDefault();
  };

  return (
    <dialog {...dialogProps} className="Modal Picker" aria-label={label}>
      {layer && (
        <OverlayContext value={layer}>
          <div className="Picker-search">
            <Icon name="search" />
            <input
              type="text"
              role="combobox"
              aria-label={label}
              aria-expanded={rows.length > 0}
              aria-controls={listId}
              aria-autocomplete="list"
              aria-activedescendant={activeRow && rowId(activeRow)}
              placeholder={placeholder}
              spellCheck={false}
              autoComplete="off"
              value={query}
              onChange={(event) => {
                setSelected(null);
                // New results are shown from the first one.
                if (list.current) list.current.scrollTop = 0;
                onQuery(event.target.value);
              }}
              onKeyDown={onKeyDown}
            />
          </div>
          <PickerList
            ref={list}
            {...{ label, groups, activeRow, rowId }}
            id={listId}
            onSelect={(row) => {
              setSelected(row.key);
            }}
            onChoose={choose}
          />
          {rows.length === 0 && (
            <p className="Picker-empty" role="status">
              {emptyText}
            </p>
          )}
        </OverlayContext>
      )}
    </dialog>
  );
}

type PickerListProps = {
  ref: Ref<HTMLDivElement>;
  id: string;
  label: string;
  groups: readonly PickerGroup[];
  activeRow: PickerRow | undefined;
  rowId: (row: PickerRow) => string;
  onSelect: (row: PickerRow) => void;
  onChoose: (row: PickerRow) => void;
};

function PickerList(props: PickerListProps) {
  const { ref, id, label, groups, activeRow, rowId, onSelect, onChoose } = props;
  return (
    <div className="Picker-list" ref={ref} id={id} role="listbox" aria-label={label}>
      {groups.map(
        (group) =>
          group.rows.length > 0 && (
            <div key={group.name} role="group" aria-label={group.name}>
              <div className="Picker-group" aria-hidden="true">
                {group.name}
              </div>
              {group.rows.map((row) => (
                // The search field, which has the focus, handles the keys.
                // eslint-disable-next-line jsx-a11y/click-events-have-key-events
                <div
                  key={row.key}
                  id={rowId(row)}
                  className="Picker-row"
                  role="option"
                  tabIndex={-1}
                  aria-selected={row === activeRow}
                  onMouseDown={(event) => {
                    event.preventDefault();
                  }}
                  onMouseMove={() => {
                    onSelect(row);
                  }}
                  onClick={() => {
                    onChoose(row);
                  }}
                >
                  <Icon name={row.icon} />
                  <span className="Picker-label" dir="auto">
                    {row.label}
                  </span>
                  {row.detail !== undefined && (
                    <span className="Picker-detail" dir="auto">
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
  );
}
