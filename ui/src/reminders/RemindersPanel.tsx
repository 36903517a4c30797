/**
 * The panel of reminders beside the conversation: they are read, edited, ordered, deleted and restored.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Reminder, SessionId } from '../ipc/bindings';
import { useAnnounce } from '../kit/notifications/LiveRegion';
import { Button } from '../kit/controls/Button';
import { useFocusWhileOpen } from '../kit/a11y/focus';
import { IconButton } from '../kit/controls/IconButton';
import { isComposing } from '../kit/keyboard/shortcuts';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { queryKeys } from '../state/queries/queries';
import { ReminderForm } from './ReminderForm';
import { ReminderRow, type MoveDirection } from './ReminderRow';
import { hasReminderDraft, openReminderDraft, type ReminderDraftKey } from './reminderDrafts';
import './Reminders.css';

type RemindersPanelProps = { sessionId: SessionId; onClose: () => void };

/** One panel for all sessions: it takes the focus when it opens, not when another session is shown. */
export function RemindersPanel({ sessionId, onClose }: RemindersPanelProps) {
  const text = useText();
  const titleId = useId();
  const panel = useFocusWhileOpen<HTMLElement>();
  return (
    // Escape closes the panel like its button.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <section
      ref={panel}
      className="Reminders"
      aria-labelledby={titleId}
      tabIndex={-1}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent))
          return;
        event.preventDefault();
        // Escape does not discard unsaved input.
        if (event.currentTarget.querySelector('form') === null) onClose();
      }}
    >
      <header className="Reminders-head">
        <h2 id={titleId}>{text('reminders.reminders')}</h2>
        <IconButton label={text('kit.close')} icon="close" onClick={onClose} />
      </header>
      <Reminders key={sessionId} sessionId={sessionId} />
    </section>
  );
}

function Reminders({ sessionId }: Pick<RemindersPanelProps, 'sessionId'>) {
  const text = useText();
  const { commands } = useBackend();
  const [asked, setWriting] = useState<ReminderDraftKey | null>(() => openReminderDraft(sessionId));
  const { reminders, move, remove } = useReminders(sessionId);
  const isListed = reminders === undefined || reminders.some(({ id }) => id === asked);
  /** A reminder that was deleted meanwhile: only its draft is left. */
  const writing =
    asked === 'new' || asked === null || isListed || hasReminderDraft(sessionId, asked)
      ? asked
      : null;
  const done = () => {
    setWriting(openReminderDraft(sessionId));
  };
  return (
    <>
      <p className="Reminders-about">
        {text(reminders?.length === 0 ? 'reminders.none' : 'reminders.about')}
      </p>
      {reminders !== undefined && reminders.length > 0 && (
        <ol className="Reminders-list" aria-label={text('reminders.reminders')}>
          {reminders.map((reminder, at) => (
            <li key={reminder.id}>
              {writing === reminder.id ? (
                <ReminderForm
                  sessionId={sessionId}
                  written={reminder.id}
                  reminder={reminder}
                  onClose={done}
                  onSave={(content, scope) => commands.updateReminder(reminder.id, content, scope)}
                />
              ) : (
                <ReminderRow
                  reminder={reminder}
                  first={at === 0}
                  last={at === reminders.length - 1}
                  onMove={(step) => {
                    move(reminder, step);
                  }}
                  onEdit={() => {
                    setWriting(reminder.id);
                  }}
                  onDelete={() => {
                    remove(reminder);
                  }}
                />
              )}
            </li>
          ))}
        </ol>
      )}
      {writing === 'new' || (writing !== null && !isListed) ? (
        <ReminderForm
          key={writing}
          sessionId={sessionId}
          written={writing}
          onClose={done}
          onSave={(content, scope) => commands.addReminder(scope, content)}
        />
      ) : (
        <Button
          icon="add"
          onClick={() => {
            setWriting('new');
          }}
        >
          {text('reminders.add')}
        </Button>
      )}
    </>
  );
}

/** The reminders that apply to the session. */
function useReminders(sessionId: SessionId) {
  const text = useText();
  const toast = useToast();
  const announce = useAnnounce();
  const client = useQueryClient();
  const { commands } = useBackend();
  const reportError = useReportError(toast);
  const queryKey = [...queryKeys.reminders, sessionId];
  const { data: reminders } = useQuery({
    queryKey,
    queryFn: () => commands.reminders(sessionId),
  });
  const move = (reminder: Reminder, step: MoveDirection) => {
    if (!reminders) return;
    const others = reminders.filter(({ id }) => id !== reminder.id);
    const place = reminders.indexOf(reminder) + (step === 'up' ? -1 : 1);
    const order = others.toSpliced(place, 0, reminder);
    client.setQueryData(queryKey, order);
    reportError(commands.orderReminders(order.map(({ id }) => id)));
    announce(text('reminders.moved', { place: place + 1, count: order.length }));
  };
  const remove = (reminder: Reminder) => {
    const gone = commands.deleteReminder(reminder.id).then((deleted) => {
      toast({
        words: text('reminders.deleted'),
        undo: () => {
          reportError(commands.restoreReminder(deleted));
        },
      });
    });
    reportError(gone);
  };
  return { reminders, move, remove };
}
