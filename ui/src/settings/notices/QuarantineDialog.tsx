/**
 * The permissions in a database that comes from elsewhere. Each is inactive until the user accepts it; a
 * rejected one can be reviewed again.
 */
import { useQuery } from '@tanstack/react-query';
import { useRef } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { QuarantineDecision, QuarantinedStart, QuarantineView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useStablePosition } from '../../kit/a11y/useStablePosition';
import { EscapedText } from '../../kit/text/EscapedText';
import { useToast } from '../../kit/notifications/Toast';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { optional, queryKeys, useSessions } from '../../state/queries/queries';
import { grantText, grantScopeText } from '../tools/AllowedTools';
import { useReportErrorToast } from '../useSaveSettings';
import './QuarantineDialog.css';
import '../settings.css';

/** Not decided yet. */
export function useQuarantine(): readonly QuarantineView[] {
  const { commands } = useBackend();
  const { data } = useQuery({
    queryKey: queryKeys.quarantine,
    queryFn: () => commands.quarantine(),
    ...optional,
  });
  return data ?? [];
}

const kinds = [
  ['grant', 'quarantine.grants'],
  ['folder', 'quarantine.folders'],
  ['reminder', 'quarantine.reminders'],
] as const;

type QuarantineDialogProps = { entries: readonly QuarantineView[]; onClose: () => void };

export function QuarantineDialog({ entries, onClose }: QuarantineDialogProps) {
  const text = useText();
  const reportError = useReportErrorToast();
  const decide = useDecideQuarantine();
  const all = useRef<HTMLButtonElement>(null);
  const { settled, answer } = useStablePosition(all);
  return (
    <Dialog
      title={text('quarantine.title')}
      size="wide"
      onClose={onClose}
      actions={
        <>
          <Button data-initial-focus onClick={onClose}>
            {text('quarantine.later')}
          </Button>
          <Button
            ref={all}
            kind="primary"
            aria-disabled={!settled}
            onClick={() => {
              answer(() => {
                reportError(decide(entries, 'allow').then(onClose));
              });
            }}
          >
            {text('quarantine.allowAll')}
          </Button>
        </>
      }
    >
      <p>{text('quarantine.hint')}</p>
      {kinds.map(([kind, title]) => {
        const ofKind = entries.filter(({ permit }) => permit.type === kind);
        if (ofKind.length === 0) return null;
        return (
          <section key={kind} aria-label={text(title)}>
            <h3>{text(title)}</h3>
            <ul className="Settings-list">
              {ofKind.map((entry) => (
                <QuarantineRow key={entry.id} entry={entry} />
              ))}
            </ul>
          </section>
        );
      })}
    </Dialog>
  );
}

/**
 * The next item moves to the place of a decided one: it takes an answer only after it has stood still.
 */
function QuarantineRow({ entry }: { entry: QuarantineView }) {
  const text = useText();
  const toast = useToast();
  const reportError = useReportErrorToast();
  const decide = useDecideQuarantine();
  const place = useRef<HTMLLIElement>(null);
  const { settled, answer } = useStablePosition(place);
  const { data: sessions } = useSessions();
  const words = useQuarantineText(entry);
  const what = escapeInvisible(words);
  const decline = async () => {
    await decide([entry], 'decline');
    toast({
      words: text('quarantine.declined', { what }),
      undo: () => {
        reportError(decide([entry], 'reopen'));
      },
    });
  };
  return (
    <li ref={place} className="Settings-provider">
      <span
        className="Settings-path Quarantine-words"
        data-command={entry.start !== null || undefined}
      >
        <EscapedText words={words} />
        {entry.start && <QuarantinedCommand start={entry.start} />}
      </span>
      <span className="Settings-quiet">{grantScopeText(text, entry.session, sessions)}</span>
      <Button
        aria-disabled={!settled}
        aria-label={text('quarantine.allowOf', { what })}
        onClick={() => {
          answer(() => {
            reportError(decide([entry], 'allow'));
          });
        }}
      >
        {text('quarantine.allow')}
      </Button>
      <Button
        kind="quiet"
        aria-disabled={!settled}
        aria-label={text('quarantine.declineOf', { what })}
        onClick={() => {
          answer(() => {
            reportError(decline());
          });
        }}
      >
        {text('quarantine.decline')}
      </Button>
    </li>
  );
}

/** All that a consent would start, as the question before a start shows it. */
function QuarantinedCommand({ start }: { start: QuarantinedStart }) {
  const text = useText();
  if (start.type === 'nothing') {
    return <span className="Quarantine-command">{text('quarantine.startsNothing')}</span>;
  }
  const { command, environment, unseen } = start;
  return (
    <>
      <code className="Quarantine-command">
        <EscapedText words={command} />
      </code>
      {environment.length > 0 && (
        <span className="Quarantine-command">
          {text('mcp.environment', { names: listNames(environment) })}
        </span>
      )}
      {unseen.length > 0 && (
        <span className="Quarantine-command">
          {text('mcp.unseen', { names: listNames(unseen) })}
        </span>
      )}
    </>
  );
}

const listNames = (names: readonly string[]) => names.map(escapeInvisible).join(', ');

function useQuarantineText({ permit }: QuarantineView): string {
  const text = useText();
  switch (permit.type) {
    case 'grant':
      return grantText(text, permit.tool);
    case 'folder':
      return permit.path;
    case 'reminder':
      return permit.reminder.content;
  }
}

function useDecideQuarantine() {
  const { commands } = useBackend();
  return (entries: readonly QuarantineView[], decision: QuarantineDecision) =>
    commands.decideQuarantine(
      entries.map(({ id }) => id),
      decision,
    );
}
