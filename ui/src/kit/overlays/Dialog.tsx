/**
 * A modal dialog on the browser's `<dialog>`. Escape, a click outside and the × close it; it asks first if a
 * form in it has unsaved input. Rendered only while it is open.
 */
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
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
  /** The buttons at the end; the primary one comes last. */
  actions?: ReactNode;
  children: ReactNode;
};

export function Dialog({ title, onClose, size = 'normal', actions, children }: DialogProps) {
  const text = useText();
  const titleId = useId();
  const { forms, hasUnsaved, pendingLeave, stay } = useUnsavedForms();
  const confirmClose = () => {
    forms.confirmLeave(onClose);
  };
  const { layer, dialogProps } = useModal(onClose, { hasUnsaved, confirmClose });
  const body = useRef<HTMLDivElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  // A body without controls takes the focus, so that the keys scroll it, and has the dialog's name then.
  const [takesFocus, setTakesFocus] = useState(false);
  useLayoutEffect(() => {
    if (layer && document.activeElement === closeButton.current) setTakesFocus(true);
  }, [layer]);
  useLayoutEffect(() => {
    if (takesFocus) body.current?.focus();
  }, [takesFocus]);
  const focusTarget = takesFocus && { tabIndex: -1, role: 'group', 'aria-labelledby': titleId };
  return (
    <>
      <dialog {...dialogProps} className="Modal Dialog" data-size={size} aria-labelledby={titleId}>
        {layer && (
          <OverlayContext value={layer}>
            <h2 className="Dialog-title" id={titleId}>
              {title}
            </h2>
            <div ref={body} className="Dialog-body" {...focusTarget}>
              <UnsavedFormsContext value={forms}>
                <ErrorBoundary holds={title}>{children}</ErrorBoundary>
              </UnsavedFormsContext>
            </div>
            {actions !== undefined && <div className="Dialog-actions">{actions}</div>}
            {/* Last, so that the dialog opens with the focus in its content. */}
            <div className="Dialog-close">
              <IconButton
                ref={closeButton}
                label={text('kit.close')}
                icon="close"
                onClick={confirmClose}
              />
            </div>
          </OverlayContext>
        )}
      </dialog>
      {/* A sibling, so that its key events do not bubble to this dialog. */}
      {pendingLeave && <DiscardDialog onDiscard={pendingLeave} onStay={stay} />}
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
