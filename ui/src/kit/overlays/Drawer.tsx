/**
 * A side panel in a narrow app window: it covers the conversation and is modal like a dialog. Rendered only
 * while it is open.
 */
import { useLayoutEffect, useRef, type ReactNode } from 'react';
import { OverlayContext } from '../layers/overlayStack';
import { useModal } from './useModal';
import './Drawer.css';

type DrawerProps = {
  label: string;
  side: 'start' | 'end';
  onClose: () => void;
  children: ReactNode;
};

export function Drawer({ label, side, onClose, children }: DrawerProps) {
  const { layer, dialogProps } = useModal(onClose);
  const body = useRef<HTMLDivElement>(null);
  // The panel itself takes the focus, not its first control.
  useLayoutEffect(() => {
    if (layer) body.current?.focus();
  }, [layer]);
  return (
    <dialog {...dialogProps} className="Modal Drawer" data-side={side} aria-label={label}>
      {layer && (
        <OverlayContext value={layer}>
          <div ref={body} className="Drawer-body" tabIndex={-1}>
            {children}
          </div>
        </OverlayContext>
      )}
    </dialog>
  );
}
