/**
 * One reminder: its text, its origin and its actions.
 */
import { useLayoutEffect, useRef } from 'react';
import { useFormats, useText } from '../i18n';
import type { Reminder } from '../ipc/bindings';
import { IconButton } from '../kit/controls/IconButton';
import { excerpt } from '../state/text/excerpt';

export type MoveDirection = 'up' | 'down';

type ReminderRowProps = {
  reminder: Reminder;
  first: boolean;
  last: boolean;
  onMove: (step: MoveDirection) => void;
  onEdit: () => void;
  onDelete: () => void;
};

export function ReminderRow(props: ReminderRowProps) {
  const { reminder, first, last, onEdit, onDelete } = props;
  const text = useText();
  const formats = useFormats();
  const { up, down, step } = useMoveButtons(props);
  const { content, scope, origin, continuation, level, updatedAt } = reminder;
  const start = excerpt(content);
  return (
    <div className="Reminder">
      <p className="Reminder-words" dir="auto">
        {content}
      </p>
      <ul className="Reminder-tags">
        {continuation && <li data-strong>{text('reminders.continuation')}</li>}
        <li>{text(scope.type === 'session' ? 'reminders.session' : 'reminders.everywhere')}</li>
        <li title={formats.moment(updatedAt)}>{text(`reminders.${origin}`)}</li>
        {level && level !== 'unavailable' && (
          <li>{text('reminders.atLevel', { level: text(`context.${level}`) })}</li>
        )}
      </ul>
      <div className="Reminder-acts">
        <IconButton
          ref={up}
          label={text('reminders.up', { start })}
          icon="chevron-up"
          disabled={first}
          onClick={() => {
            step('up');
          }}
        />
        <IconButton
          ref={down}
          label={text('reminders.down', { start })}
          icon="chevron-down"
          disabled={last}
          onClick={() => {
            step('down');
          }}
        />
        <IconButton label={text('reminders.edit', { start })} icon="edit" onClick={onEdit} />
        <IconButton label={text('reminders.delete', { start })} icon="trash" onClick={onDelete} />
      </div>
    </div>
  );
}

/**
 * A move keeps the focus on its button; at the end of the list the focus goes to the opposite button.
 */
function useMoveButtons({ first, last, onMove }: ReminderRowProps) {
  const up = useRef<HTMLButtonElement>(null);
  const down = useRef<HTMLButtonElement>(null);
  const moved = useRef<MoveDirection | null>(null);
  useLayoutEffect(() => {
    if (moved.current === null) return;
    const stays = moved.current === 'up' ? !first : last;
    (stays ? up : down).current?.focus();
    moved.current = null;
  });
  const step = (way: MoveDirection) => {
    moved.current = way;
    onMove(way);
  };
  return { up, down, step };
}
