/**
 * The parts of the window that are loaded when they are first opened, or a moment after the window
 * stands: the start does not wait for them, and neither does the person who opens one later.
 */
import { lazy, Suspense, useEffect, type ComponentProps, type ReactNode } from 'react';
import { useText } from '../i18n';
import { Dialog } from '../kit/Dialog';
import { Spinner } from '../kit/Spinner';

const loadSettings = () => import('../settings/SettingsDialog');
const loadEstimate = () => import('../context/ContextDialog');
const loadCompare = () => import('../context/CompareDialog');

export const SettingsDialog = lazy(async () => ({
  default: (await loadSettings()).SettingsDialog,
}));
export const ContextDialog = lazy(async () => ({ default: (await loadEstimate()).ContextDialog }));
export const CompareDialog = lazy(async () => ({ default: (await loadCompare()).CompareDialog }));

type OpeningProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'size' | 'onClose'> & {
  /** A dialog of the same title and size. */
  children: ReactNode;
};

/** A dialog that may have to be loaded: its frame is there at once. */
export function Opening({ children, ...frame }: OpeningProps) {
  const text = useText();
  const loading = (
    <Dialog {...frame}>
      <Spinner>{text('kit.loading')}</Spinner>
    </Dialog>
  );
  return <Suspense fallback={loading}>{children}</Suspense>;
}

/** How long after its start the window has nothing else to do, in ms. */
const moment = 1_500;

export function useLoadedAhead() {
  useEffect(() => {
    const timer = setTimeout(() => {
      void Promise.all([loadEstimate(), loadSettings(), loadCompare()]);
    }, moment);
    return () => {
      clearTimeout(timer);
    };
  }, []);
}
