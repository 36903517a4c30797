/**
 * The side questions of the open session as a panel of the layout; null: they are closed.
 */
import { Suspense } from 'react';
import { closeAside, useAside } from '../../aside/asideStore';
import { useText } from '../../i18n';
import type { SessionId } from '../../ipc/bindings';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Spinner } from '../../kit/display/Spinner';
import { LazyAsidePanel } from '../dialogs/lazyPanels';

export function useAsidePanel(open: SessionId | null, narrow: boolean) {
  const text = useText();
  const aside = useAside(open);
  if (!aside || open === null) return null;
  return {
    name: text('aside.title'),
    overlaps: narrow,
    onClose: () => {
      closeAside(open);
    },
    content: (
      <ErrorBoundary holds={open}>
        <Suspense fallback={<Spinner>{text('kit.loading')}</Spinner>}>
          <LazyAsidePanel sessionId={open} />
        </Suspense>
      </ErrorBoundary>
    ),
  };
}
