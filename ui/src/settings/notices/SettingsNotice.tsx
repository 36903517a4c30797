/**
 * Notices above the conversation: that the program runs in safe mode, for as long as it does, and errors of
 * the settings file, until the user dismisses them. The settings keep those.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { IconButton } from '../../kit/controls/IconButton';
import { Banner } from '../../kit/display/Banner';
import { useSettings } from '../../state/queries/queries';
import { SettingsErrors } from './SettingsErrors';
import './SettingsNotice.css';

export function SettingsNotice() {
  return (
    <>
      <SafeModeNotice />
      <SettingsErrorsNotice />
    </>
  );
}

function SafeModeNotice() {
  const text = useText();
  const { data: view } = useSettings();
  if (!view?.safeMode) return null;
  return (
    <div className="SettingsNotice">
      <Banner kind="info">
        <p>{text('diagnostics.safeMode')}</p>
        <p>{text('diagnostics.safeModeHint')}</p>
      </Banner>
    </div>
  );
}

function SettingsErrorsNotice() {
  const text = useText();
  const { data: view } = useSettings();
  const [read, setRead] = useState(false);
  if (!view || read || (!view.broken && view.problems.length === 0)) return null;
  return (
    <div className="SettingsNotice">
      <div
        role="group"
        aria-label={text('app.settings')}
        // Focusable, so that the arrow keys scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
      >
        <SettingsErrors view={view} />
      </div>
      <IconButton
        label={text('kit.dismiss')}
        icon="close"
        onClick={() => {
          setRead(true);
        }}
      />
    </div>
  );
}
