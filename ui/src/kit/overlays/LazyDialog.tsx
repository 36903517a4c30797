/**
 * A dialog whose code is loaded on demand: its frame opens at once and can be closed while the content
 * loads or after it failed.
 */
import { Suspense, type ComponentProps, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { Dialog } from './Dialog';
import { ErrorBoundary } from '../display/ErrorBoundary';
import { Spinner } from '../display/Spinner';

type LazyDialogProps = Pick<ComponentProps<typeof Dialog>, 'title' | 'size' | 'onClose'> & {
  /** A dialog of the same title and size. */
  children: ReactNode;
};

export function LazyDialog({ children, ...frame }: LazyDialogProps) {
  const text = useText();
  const framed = (content: ReactNode) => <Dialog {...frame}>{content}</Dialog>;
  return (
    <ErrorBoundary holds={frame.title} instead={framed}>
      <Suspense fallback={framed(<Spinner>{text('kit.loading')}</Spinner>)}>{children}</Suspense>
    </ErrorBoundary>
  );
}
