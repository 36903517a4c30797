/**
 * A small non-modal dialog that is anchored to its button.
 */
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { useOverlay } from './overlayStack';
import './Popover.css';

type PopoverProps = {
  /** The accessible name. */
  label: string;
  trigger: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

export function Popover({ label, trigger, open, onOpenChange, children }: PopoverProps) {
  const layer = useOverlay();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={layer}>
        <Base.Positioner
          className="Popover-layer"
          align="start"
          sideOffset={8}
          collisionPadding={8}
          positionMethod="fixed"
        >
          <Base.Popup className="Popover" aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
