/** A popover and its button, on Base UI. */
import { Popover as Base } from '@base-ui/react/popover';
import { useOverlay } from '../layers/overlayStack';
import type { PopoverProps } from '../layers/Popover';
import type { PopupProps } from '../layers/popupLibrary';
import { popupRole } from '../layers/popupRole';
import '../layers/Popover.css';

export function PopoverPopup({
  label,
  trigger,
  open,
  defaultOpen,
  onOpenChange,
  children,
}: PopupProps<PopoverProps>) {
  const layer = useOverlay();
  return (
    <Base.Root open={open} defaultOpen={defaultOpen} onOpenChange={onOpenChange}>
      <Base.Trigger render={trigger} data-menu-trigger="" {...popupRole('dialog')} />
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
