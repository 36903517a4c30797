/**
 * Notices above the conversation about the database: damaged or moved while it is open (until that ends),
 * an interrupted import, or a failed daily backup (until the user dismisses it; the settings keep it). A
 * quarantine notice stands above them.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Error as AppError } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { IconButton } from '../../kit/controls/IconButton';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';
import { backupErrorText } from '../../state/text/backupText';
import { errorText } from '../../state/text/errorText';
import { useDataPaths } from '../../state/queries/queries';
import { QuarantineNotice } from './QuarantineNotice';
import './SettingsNotice.css';

type DataNoticeProps = { onCopies: () => void };

export function DataNotice({ onCopies }: DataNoticeProps) {
  return (
    <>
      <QuarantineNotice />
      <DatabaseErrorNotice onCopies={onCopies} />
    </>
  );
}

function DatabaseErrorNotice({ onCopies }: DataNoticeProps) {
  const text = useText();
  const { data: places } = useDataPaths();
  const [read, setRead] = useState<readonly string[]>([]);
  const toCopies = <Button onClick={onCopies}>{text('data.toCopies')}</Button>;
  if (places?.damage)
    return (
      <div className="SettingsNotice">
        <Banner kind="danger" actions={toCopies}>
          <p>{errorText(text, places.damage)}</p>
          <p>{text('data.damagedHint')}</p>
        </Banner>
      </div>
    );
  if (places?.moved) return <DatabaseMovedBanner fault={places.moved} />;
  const cut = places?.cutImport;
  const cutWords =
    cut &&
    text('data.cutImport', {
      count: cut.sessions,
      messages: text('data.messages', { count: cut.messages }),
    });
  const uncopied = places?.uncopied ? backupErrorText(text, places.uncopied) : null;
  const why = [cutWords ?? null, uncopied].find((it) => it !== null && !read.includes(it));
  if (why === null || why === undefined) return null;
  return (
    <div className="SettingsNotice">
      <Banner kind="warning" actions={why === uncopied && toCopies}>
        {why}
      </Banner>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          setRead([...read, why]);
        }}
      />
    </div>
  );
}

function DatabaseMovedBanner({ fault }: { fault: AppError }) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const toast = useToast();
  const reportError = useReportError(toast);
  const save = async () => {
    const kind = { name: text('data.databases'), endings: ['db'] };
    const path = await desktop.pickTarget(text('data.saveCopy'), 'skein.db', [kind]);
    if (path === null) return;
    await commands.saveCopy(path);
    toast({ words: text('data.savedCopy', { path }) });
  };
  return (
    <div className="SettingsNotice">
      <Banner
        kind="danger"
        actions={
          <Button
            icon="download"
            onClick={() => {
              reportError(save());
            }}
          >
            {text('data.saveCopy')}
          </Button>
        }
      >
        <p>{errorText(text, fault)}</p>
        <p>{text('data.movedHint')}</p>
      </Banner>
    </div>
  );
}
