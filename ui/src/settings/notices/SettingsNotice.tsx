/**
 * Above the conversation: what is wrong with the settings file, for as long as the person wants to
 * see it. It stays in the settings.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { IconButton } from '../../kit/controls/IconButton';
import { useSettings } from '../../state/queries/queries';
import { SettingsErrors } from './SettingsErrors';
import './SettingsNotice.css';

export function SettingsNotice() {
  const text = useText();
  const { data: view } = useSettings();
  const [read, setRead] = useState(false);
  if (!view || read || (!view.broken && view.problems.length === 0)) return null;
  return (
    <div className="SettingsNotice">
      <div
        role="group"
        aria-label={text('settings.settings')}
        // The keyboard scrolls what it can focus.
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
