/**
 * Imports and exports conversations, with the progress and the result of each.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ImportReport, ImportStatus } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Spinner } from '../../kit/display/Spinner';
import { Row } from '../../kit/display/Stack';
import { useToast, useWithdrawToasts } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { fileErrorText } from '../../state/text/errorText';
import { useImportStatus } from '../../state/queries/queries';
import { useReportErrorToast } from '../useSaveSettings';
import { UndoImport } from './UndoImport';

/** The subject of the toasts about an import that did not start. */
const importToastId = 'import';

export function ImportExport() {
  const text = useText();
  const toast = useToast();
  const withdraw = useWithdrawToasts();
  const reportError = useReportErrorToast();
  const attemptImport = useReportError((failed) => {
    toast({ ...failed, of: importToastId });
  });
  const { commands, desktop } = useBackend();
  const { data: status } = useImportStatus();
  const [exporting, setExporting] = useState(false);
  const importing = status?.type === 'reading' || status?.type === 'adding';
  const bringIn = async () => {
    const kind = { name: text('data.conversationFiles'), endings: ['json', 'zip', 'jsonl'] };
    const path = await desktop.pickFile(text('data.importTitle'), [kind]);
    if (path === null) return;
    withdraw(importToastId);
    await commands.importFile(path);
  };
  const takeOut = async () => {
    const kind = { name: text('data.archive'), endings: ['zip'] };
    const path = await desktop.pickTarget(text('data.exportAllTitle'), 'skein.zip', [kind]);
    if (path === null) return;
    setExporting(true);
    try {
      const sessions = text('data.sessions', { count: await commands.exportAll(path) });
      toast({ words: text('data.exportedAll', { sessions, path }) });
    } finally {
      setExporting(false);
    }
  };
  return (
    <section aria-label={text('data.transfer')}>
      <h3>{text('data.transfer')}</h3>
      <p className="Settings-quiet">{text('data.importHint')}</p>
      <Row>
        <Button
          icon="upload"
          disabled={importing}
          onClick={() => {
            attemptImport(bringIn());
          }}
        >
          {text('data.import')}
        </Button>
        <Button
          icon="download"
          disabled={exporting}
          onClick={() => {
            reportError(takeOut());
          }}
        >
          {text('data.exportAll')}
        </Button>
        {exporting && <Spinner>{text('data.exporting')}</Spinner>}
      </Row>
      {status && <ImportProgress status={status} />}
    </section>
  );
}

function ImportProgress({ status }: { status: ImportStatus }) {
  const text = useText();
  const reportError = useReportErrorToast();
  const { commands } = useBackend();
  switch (status.type) {
    case 'idle':
      return null;
    case 'reading':
    case 'adding':
      return (
        <div role="status">
          <Row>
            <Spinner>
              {status.type === 'reading'
                ? text('data.reading', status)
                : text('data.adding', status)}
            </Spinner>
            <Button
              kind="quiet"
              onClick={() => {
                reportError(commands.cancelImport());
              }}
            >
              {text('data.cancelImport')}
            </Button>
          </Row>
        </div>
      );
    case 'ended':
      return (
        <>
          <ImportResult name={status.name} reports={status.reports} />
          <UndoImport reports={status.reports} />
        </>
      );
  }
}

function ImportResult({ name, reports }: { name: string; reports: readonly ImportReport[] }) {
  const text = useText();
  const outcomes = reports.map(({ outcome }) => outcome);
  const imported = outcomes.filter((outcome) => outcome.type === 'imported');
  const sum = (of: 'messages' | 'missing' | 'unplaced') =>
    imported.reduce((all, outcome) => all + outcome[of], 0);
  const skipped = reports.filter(({ outcome }) => outcome.type !== 'imported');
  const missing = sum('missing');
  const unplaced = sum('unplaced');
  return (
    <div role="status">
      <p>
        {text('data.imported', {
          name,
          sessions: text('data.sessions', { count: imported.length }),
          messages: text('data.messages', { count: sum('messages') }),
        })}
      </p>
      {missing > 0 && <p>{text('data.missing', { count: missing })}</p>}
      {unplaced > 0 && <p>{text('data.unplaced', { count: unplaced })}</p>}
      {skipped.length > 0 && (
        <>
          <p>{text('data.skipped', { count: skipped.length })}</p>
          <ul className="Settings-problems">
            {skipped.map((report, at) => (
              <li key={at}>
                <SkippedConversation report={report} />
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  );
}

function SkippedConversation({ report: { title, outcome } }: { report: ImportReport }) {
  const text = useText();
  const named = title ?? text('threads.untitled');
  if (outcome.type !== 'unreadable') return text('data.emptyConversation', { title: named });
  const words = fileErrorText(text, named, outcome.fault);
  if (outcome.fault.type !== 'misbuilt') return words;
  return (
    <>
      {words}
      <Disclosure label={text('kit.errorDetails')}>
        <span className="Settings-path">{outcome.fault.detail}</span>
      </Disclosure>
    </>
  );
}
