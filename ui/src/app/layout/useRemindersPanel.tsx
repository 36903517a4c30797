/** The reminders as a panel of the layout; null: they are closed. */
import { Suspense } from 'react';
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Spinner } from '../../kit/display/Spinner';
import { LazyRemindersPanel } from '../dialogs/lazyPanels';
import type { PanelState } from './usePanel';

export function useRemindersPanel(open: SessionId | null, reminders: PanelState) {
  const text = useText();
  if (!reminders.open || open === null) return null;
  const close = () => {
    reminders.setOpen(false);
  };
  return {
    name: text('reminders.reminders'),
    overlaps: reminders.narrow,
    onClose: close,
    content: (
      <ErrorBoundary holds={open}>
        <Suspense fallback={<Spinner>{text('kit.loading')}</Spinner>}>
          <LazyRemindersPanel sessionId={open} onClose={close} />
        </Suspense>
      </ErrorBoundary>
    ),
  };
}
