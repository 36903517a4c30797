/** The notices above the conversation, about the settings and about the database. */
import { DataNotice } from './DataNotice';
import { SettingsNotice } from './SettingsNotice';

export function Notices({ onCopies }: { onCopies: () => void }) {
  return (
    <>
      <SettingsNotice />
      <DataNotice onCopies={onCopies} />
    </>
  );
}
