/**
 * A modal dialog on the browser's own `<dialog>`: it keeps the focus, gives it back, and closes on Esc, on
 * a click beside it and by its ×, and asks first where what is written in it would be lost. Rendered only
 * while it is open.
 */
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { useText } from '../../i18n';
import { Button } from '../controls/Button';
import { ErrorBoundary } from '../display/ErrorBoundary';
import { IconButton } from '../controls/IconButton';
import { OverlayContext } from '../layers/overlayStack';
import { useModal } from './useModal';
import { UnsavedFormsContext, useUnsavedForms } from './unsavedGuard';
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
  const { forms, isHeld, asked, stay } = useUnsavedForms();
  const ask = () => {
    forms.confirmLeave(onClose);
  };
  const { layer, ties } = useModal(onClose, { isHeld, ask });
  const body = useRef<HTMLDivElement>(null);
  const close = useRef<HTMLButtonElement>(null);
  // What is there to be read takes the focus itself: the keys scroll it.
  useLayoutEffect(() => {
    if (layer && document.activeElement === close.current) body.current?.focus();
  }, [layer]);
  return (
    <>
      <dialog {...ties} className="Modal Dialog" data-size={size} aria-labelledby={titleId}>
        {layer && (
          <OverlayContext value={layer}>
            <h2 className="Dialog-title" id={titleId}>
              {title}
            </h2>
            <div ref={body} className="Dialog-body" tabIndex={-1}>
              <UnsavedFormsContext value={forms}>
                <ErrorBoundary holds={title}>{children}</ErrorBoundary>
              </UnsavedFormsContext>
            </div>
            {actions !== undefined && <div className="Dialog-actions">{actions}</div>}
            {/* Last, so that the dialog opens with the focus in its content. */}
            <div className="Dialog-close">
              <IconButton ref={close} label={text('kit.close')} icon="close" onClick={ask} />
            </div>
          </OverlayContext>
        )}
      </dialog>
      {/* Beside it, so that its keys are not also those of the dialog it asks about. */}
      {asked && <DiscardDialog onDiscard={asked.go} onStay={stay} />}
    </>
  );
}

type DiscardDialogProps = { onDiscard: () => void; onStay: () => void };

function DiscardDialog({ onDiscard, onStay }: DiscardDialogProps) {
  const text = useText();
  return (
    <Dialog
      title={text('kit.unsaved')}
      onClose={onStay}
      actions={
        <>
          <Button
            onClick={() => {
              onStay();
              onDiscard();
            }}
          >
            {text('kit.discard')}
          </Button>
          <Button kind="primary" onClick={onStay}>
            {text('kit.keepEditing')}
          </Button>
        </>
      }
    >
      <p>{text('kit.unsavedWords')}</p>
    </Dialog>
  );
}
