/**
 * A modal dialog on the browser's own `<dialog>`: it keeps the focus, gives it back, and closes on
 * Esc and on a click beside it. Rendered only while it is open.
 */
import { useId, useLayoutEffect, useRef, useState, type ReactNode } from 'react';
import { useText } from '../i18n';
import { IconButton } from './IconButton';
import { LayerContext, raise } from './layers';
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
  const ref = useRef<HTMLDialogElement>(null);
  const [layer, setLayer] = useState<HTMLDialogElement | null>(null);
  const popupTakesEscape = useRef(false);

  useLayoutEffect(() => {
    setLayer(ref.current);
  }, []);

  // Opened once its content stands in it, so that the focus goes there.
  useLayoutEffect(() => {
    if (!layer) return;
    layer.showModal();
    const lower = raise(layer);
    return () => {
      lower();
      layer.close();
    };
  }, [layer]);

  return (
    // The clicks and keys handled here only close it, which its button does too.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <dialog
      ref={ref}
      className="Dialog"
      data-size={size}
      aria-labelledby={titleId}
      onKeyDownCapture={(event) => {
        // An open menu or list inside closes first; the browser asks `cancel` after it has closed.
        if (event.key !== 'Escape') return;
        popupTakesEscape.current =
          event.currentTarget.querySelector('[data-popup-open][aria-haspopup]') !== null;
      }}
      onCancel={(event) => {
        if (event.target !== ref.current) return;
        event.preventDefault();
        if (!popupTakesEscape.current) onClose();
        popupTakesEscape.current = false;
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current && isBeside(event.currentTarget, event)) onClose();
      }}
    >
      {layer && (
        <LayerContext value={layer}>
          <h2 className="Dialog-title" id={titleId}>
            {title}
          </h2>
          <div className="Dialog-body">{children}</div>
          {actions !== undefined && <div className="Dialog-actions">{actions}</div>}
          {/* Last, so that the dialog opens with the focus in its content. */}
          <div className="Dialog-close">
            <IconButton label={text('kit.close')} icon="close" onClick={onClose} />
          </div>
        </LayerContext>
      )}
    </dialog>
  );
}

function isBeside(dialog: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }) {
  const { left, right, top, bottom } = dialog.getBoundingClientRect();
  return clientX < left || clientX > right || clientY < top || clientY > bottom;
}
