/**
 * Notices above the conversation about updates: that Skein went back to an earlier version, with what was
 * written since, until the user dismisses it; and that a newer version exists, until it is dismissed.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ReturnView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { IconButton } from '../../kit/controls/IconButton';
import { Banner } from '../../kit/display/Banner';
import { useToast } from '../../kit/notifications/Toast';
import { useUpdates } from '../../state/queries/updatesQuery';
import { useReportErrorToast } from '../useSaveSettings';
import './SettingsNotice.css';

export function UpdateNotice() {
  const text = useText();
  const { data: view } = useUpdates();
  const [dismissed, setDismissed] = useState<string | null>(null);
  if (!view) return null;
  if (view.returned) return <ReturnNotice returned={view.returned} />;
  if (view.state.type !== 'available' || view.state.version === dismissed) return null;
  const { version } = view.state;
  return (
    <div className="SettingsNotice">
      <Banner kind="info">{text('updates.noticeAvailable', { version })}</Banner>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          setDismissed(version);
        }}
      />
    </div>
  );
}

function ReturnNotice({ returned: { from, export: path, sessions } }: { returned: ReturnView }) {
  const text = useText();
  const toast = useToast();
  const { commands } = useBackend();
  const reportError = useReportErrorToast();
  const importExport = async (file: string) => {
    await commands.importFile(file);
    // A cancelled import resolves too, and added nothing.
    if ((await commands.importStatus()).type !== 'ended') return;
    toast({ words: text('updates.imported') });
    await commands.updateProgram('dismissReturn');
  };
  return (
    <div className="SettingsNotice">
      <Banner
        kind="info"
        actions={
          path !== null && (
            <Button
              onClick={() => {
                reportError(importExport(path));
              }}
            >
              {text('updates.importReturned')}
            </Button>
          )
        }
      >
        <p>{text('updates.returned', { version: from })}</p>
        <p>
          {path === null
            ? text('updates.returnedNothing')
            : text('updates.returnedSessions', { count: sessions, path })}
        </p>
      </Banner>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          reportError(commands.updateProgram('dismissReturn'));
        }}
      />
    </div>
  );
}
