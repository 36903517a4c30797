/**
 * "Settings": one page for each topic. A change takes effect at once, without a confirmation.
 */
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { Dialog } from '../../kit/overlays/Dialog';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Spinner } from '../../kit/display/Spinner';
import { Tabs } from '../../kit/controls/Tabs';
import { useConfirmLeave } from '../../kit/overlays/unsavedGuard';
import { required, useSettings } from '../../state/queries/queries';
import { AboutPage } from '../pages/AboutPage';
import { AppearancePage } from '../pages/AppearancePage';
import { ContextPage } from '../context/ContextPage';
import { DataPage } from '../pages/DataPage';
import { DesktopPage } from '../pages/DesktopPage';
import { KeyboardPage } from '../pages/KeyboardPage';
import { MemoryPage } from '../pages/MemoryPage';
import { NetworkPage } from '../pages/NetworkPage';
import { settingsPages, type SettingsPage, type SettingsTarget } from '../settingsPages';
import { ProvidersPage } from '../pages/ProvidersPage';
import { useSaveSettings, type TargetedSettingsPageProps } from '../useSaveSettings';
import { useRevealControl } from './useRevealControl';
import { SettingsErrors } from '../notices/SettingsErrors';
import { UsagePage } from '../usage/UsagePage';
import { ToolsPage } from '../pages/ToolsPage';
import '../settings.css';

const settingsPageComponents: Record<
  SettingsPage,
  (props: TargetedSettingsPageProps) => ReactNode
> = {
  context: ContextPage,
  providers: ProvidersPage,
  appearance: AppearancePage,
  keyboard: KeyboardPage,
  desktop: DesktopPage,
  tools: ToolsPage,
  memory: MemoryPage,
  data: DataPage,
  usage: UsagePage,
  network: NetworkPage,
  about: AboutPage,
};

type SettingsDialogProps = {
  session: SessionId | null;
  /** The page and control to open; a new value navigates there. */
  place: SettingsTarget;
  onClose: () => void;
};

export function SettingsDialog({ onClose, ...pages }: SettingsDialogProps) {
  const text = useText();
  return (
    <Dialog title={text('app.settings')} onClose={onClose} size="full">
      <SettingsTabs {...pages} />
    </Dialog>
  );
}

function SettingsTabs({ session, place }: Omit<SettingsDialogProps, 'onClose'>) {
  const text = useText();
  const leave = useConfirmLeave();
  const { data: view } = useSettings(required);
  const save = useSaveSettings();
  const [here, setHere] = useState(place);
  const goTo = (next: SettingsTarget) => {
    leave(() => {
      setHere(next);
    });
  };
  const follow = useEffectEvent(goTo);
  useEffect(() => {
    follow(place);
  }, [place]);
  const pages = useRef<HTMLDivElement>(null);
  useRevealControl(pages, here.control);
  return (
    <div ref={pages} className="Settings">
      {view && <SettingsErrors view={view} />}
      {view ? (
        <Tabs
          label={text('settings.pages')}
          current={here.page}
          onChange={(page) => {
            goTo({ page });
          }}
          tabs={settingsPages.map((id) => {
            const Page = settingsPageComponents[id];
            return {
              id,
              label: text(`settings.page_${id}`),
              content: (
                <ErrorBoundary holds={id}>
                  <Page
                    key={JSON.stringify(here)}
                    settings={view.settings}
                    save={save}
                    session={session}
                    model={here.model}
                    provider={here.provider}
                  />
                </ErrorBoundary>
              ),
            };
          })}
        />
      ) : (
        <Spinner>{text('kit.loading')}</Spinner>
      )}
    </div>
  );
}
