/**
 * A small dialog that hangs from its button and lets the rest of the window be used.
 */
import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { useLayer } from './layers';
import './Popover.css';

type PopoverProps = {
  /** Its accessible name. */
  label: string;
  trigger: ReactElement;
  /** Also opens when the pointer rests on the button. */
  onHover?: boolean;
  wide?: boolean;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

export function Popover({
  label,
  trigger,
  onHover = false,
  wide = false,
  open,
  onOpenChange,
  children,
}: PopoverProps) {
  const layer = useLayer();
  return (
    <Base.Root open={open} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} openOnHover={onHover} delay={600} closeDelay={200} />
      <Base.Portal container={layer}>
        <Base.Positioner
          className="Popover-layer"
          sideOffset={8}
          collisionPadding={8}
          positionMethod="fixed"
        >
          <Base.Popup className="Popover" aria-label={label} data-wide={wide || undefined}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
