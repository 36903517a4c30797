/** The notices above the conversation, about the settings, the database and updates. */
import { DataNotice } from './DataNotice';
import { SettingsNotice } from './SettingsNotice';
import { UpdateNotice } from './UpdateNotice';

export function Notices({ onCopies }: { onCopies: () => void }) {
  return (
    <>
      <SettingsNotice />
      <DataNotice onCopies={onCopies} />
      <UpdateNotice />
    </>
  );
}
