/**
 * "Settings": a page per matter. Whatever is changed holds at once; there is nothing to confirm.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import type { SessionId } from '../ipc/bindings';
import { Dialog } from '../kit/Dialog';
import { Spinner } from '../kit/Spinner';
import { Tabs } from '../kit/Tabs';
import { useSettings } from '../state/reading';
import { AboutPage } from './AboutPage';
import { AppearancePage } from './AppearancePage';
import { ContextPage } from './ContextPage';
import { DataPage } from './DataPage';
import { MemoryPage } from './MemoryPage';
import { NetworkPage } from './NetworkPage';
import { ProvidersPage } from './ProvidersPage';
import { useSave } from './saving';
import { SettingsFaults } from './SettingsFaults';
import { ToolsPage } from './ToolsPage';
import './SettingsDialog.css';

const pages = [
  { id: 'context', Page: ContextPage },
  { id: 'providers', Page: ProvidersPage },
  { id: 'appearance', Page: AppearancePage },
  { id: 'tools', Page: ToolsPage },
  { id: 'memory', Page: MemoryPage },
  { id: 'data', Page: DataPage },
  { id: 'network', Page: NetworkPage },
  { id: 'about', Page: AboutPage },
] as const;

export type SettingsPage = (typeof pages)[number]['id'];

type SettingsDialogProps = {
  session: SessionId | null;
  page?: SettingsPage;
  onClose: () => void;
};

export function SettingsDialog({ session, page = 'context', onClose }: SettingsDialogProps) {
  const text = useText();
  const { data: view } = useSettings();
  const save = useSave();
  const [current, setCurrent] = useState<SettingsPage>(page);
  return (
    <Dialog title={text('settings.settings')} onClose={onClose} size="full">
      <div className="Settings">
        {view && <SettingsFaults view={view} />}
        {view ? (
          <Tabs
            label={text('settings.pages')}
            current={current}
            onChange={setCurrent}
            tabs={pages.map(({ id, Page }) => ({
              id,
              label: text(`settings.page_${id}`),
              content: <Page settings={view.settings} save={save} session={session} />,
            }))}
          />
        ) : (
          <Spinner>{text('kit.loading')}</Spinner>
        )}
      </div>
    </Dialog>
  );
}
