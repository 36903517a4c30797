/**
 * Updates of Skein: the consent to ask a host, the steps of an update, and the way back.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { UpdateAction, UpdatesView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { ConfirmDialog } from '../../kit/overlays/ConfirmDialog';
import { isRunning, useUpdates } from '../../state/queries/updatesQuery';
import { useReportErrorToast, type SettingsPageProps } from '../useSaveSettings';
import { UpdateStep } from './UpdateStep';

export function Updates(page: SettingsPageProps) {
  const text = useText();
  const { data: view } = useUpdates();
  return (
    <section aria-label={text('updates.title')}>
      <h3>{text('updates.title')}</h3>
      {view &&
        (view.host === null ? (
          <p>{text('updates.none')}</p>
        ) : (
          <UpdateControls view={view} host={view.host} {...page} />
        ))}
    </section>
  );
}

type UpdateControlsProps = SettingsPageProps & { view: UpdatesView; host: string };

function UpdateControls({ view, host, settings, save }: UpdateControlsProps) {
  const text = useText();
  const { commands } = useBackend();
  const reportError = useReportErrorToast();
  const run = (action: UpdateAction) => {
    reportError(commands.updateProgram(action));
  };
  const agreed = settings.updateHost === host;
  return (
    <Stack>
      <Switch
        label={text('updates.agree')}
        hint={text('updates.agreeHint', { host })}
        checked={agreed}
        onChange={(agrees) => {
          save((old) => ({ ...old, updateHost: agrees ? host : null }));
        }}
      />
      {(agreed || isRunning(view.state)) && <UpdateStep view={view} host={host} run={run} />}
      {view.wayBack !== null && !isRunning(view.state) && (
        <WayBack
          version={view.wayBack}
          isPackaged={view.isPackaged}
          onGoBack={() => {
            run('goBack');
          }}
        />
      )}
    </Stack>
  );
}

type WayBackProps = { version: string; isPackaged: boolean; onGoBack: () => void };

function WayBack({ version, isPackaged, onGoBack }: WayBackProps) {
  const text = useText();
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <p>
        <Button
          onClick={() => {
            setAsked(true);
          }}
        >
          {text('updates.goBack', { version })}
        </Button>
      </p>
      {isAsked && (
        <ConfirmDialog
          title={text('updates.goBackTitle', { version })}
          words={text('updates.goBackWords', { version })}
          confirm={text(isPackaged ? 'updates.goBackPackaged' : 'updates.goBackNow')}
          onConfirm={onGoBack}
          onClose={() => {
            setAsked(false);
          }}
        />
      )}
    </>
  );
}
