/**
 * A modal dialog on the browser's own `<dialog>`: it keeps the focus, gives it back, and closes on
 * Esc and on a click beside it, unless what is being written in it would be lost. Rendered only while
 * it is open.
 */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useText } from '../i18n';
import { ErrorBoundary } from './ErrorBoundary';
import { IconButton } from './IconButton';
import { LayerContext } from './layers';
import { useModal } from './modal';
import { UnfinishedContext, useForms } from './unfinished';
import './Dialog.css';

type DialogProps = {
  title: string;
  onClose: () => void;
  /** Up to 480, 720 or 960 px wide. */
  size?: 'normal' | 'wide' | 'full';
  /** Buttons at the end; the one that goes on comes last. */
  actions?: ReactNode;
  children: ReactNode;
};

export function Dialog({ title, onClose, size = 'normal', actions, children }: DialogProps) {
  const text = useText();
  const titleId = useId();
  const { note, isHeld } = useForms();
  const { layer, ties } = useModal(onClose, isHeld);
  const body = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  // What is there to be read takes the focus itself: the keys scroll it.
  useLayoutEffect(() => {
    if (layer && document.activeElement === close.current) body.current?.focus();
  }, [layer]);
  return (
    <dialog {...ties} className="Modal Dialog" data-size={size} aria-labelledby={titleId}>
      {layer && (
        <LayerContext value={layer}>
          <h2 className="Dialog-title" id={titleId}>
            {title}
          </h2>
          <div ref={body} className="Dialog-body" tabIndex={-1}>
            <UnfinishedContext value={note}>
              <ErrorBoundary holds={title}>{children}</ErrorBoundary>
            </UnfinishedContext>
          </div>
          {actions !== undefined && <div className="Dialog-actions">{actions}</div>}
          {/* Last, so that the dialog opens with the focus in its content. */}
          <div className="Dialog-close">
            <IconButton ref={close} label={text('kit.close')} icon="close" onClick={onClose} />
          </div>
        </LayerContext>
      )}
    </dialog>
  );
}
