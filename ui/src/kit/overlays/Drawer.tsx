/**
 * What stands beside the conversation, where there is no room beside it: over it, and modal as a dialog is.
 * Rendered only while it is open.
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
  const { layer, ties } = useModal(onClose);
  const body = useRef<HTMLDivElement>(null);
  // None of its controls was asked for.
  useLayoutEffect(() => {
    if (layer) body.current?.focus();
  }, [layer]);
  return (
    <dialog {...ties} className="Modal Drawer" data-side={side} aria-label={label}>
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
