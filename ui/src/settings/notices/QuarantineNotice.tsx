/**
 * A notice above the conversation: the database comes from elsewhere, and its permissions wait for a
 * review.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { QuarantineDialog, useQuarantine } from './QuarantineDialog';
import './SettingsNotice.css';

export function QuarantineNotice() {
  const text = useText();
  const [open, setOpen] = useState(false);
  const entries = useQuarantine();
  if (entries.length === 0) return null;
  return (
    <div className="SettingsNotice">
      <Banner
        kind="warning"
        actions={
          <Button
            onClick={() => {
              setOpen(true);
            }}
          >
            {text('quarantine.look')}
          </Button>
        }
      >
        {text('quarantine.notice', { count: entries.length })}
      </Banner>
      {open && (
        <QuarantineDialog
          entries={entries}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </div>
  );
}
