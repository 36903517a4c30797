/** The popup of a tooltip, on Base UI. */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import { useOverlay } from '../layers/overlayStack';
import { Shortcut } from '../keyboard/Shortcut';
import type { TooltipProps } from '../layers/Tooltip';
import '../layers/Tooltip.css';

type TooltipPopupProps = Omit<TooltipProps, 'children' | 'needed'> & {
  anchor: Element;
  onClose: () => void;
};

export function TooltipPopup({ anchor, content, keys, onClose }: TooltipPopupProps) {
  const layer = useOverlay();
  return (
    <Base.Root open onOpenChange={onClose}>
      <Base.Portal container={layer}>
        <Base.Positioner
          anchor={anchor}
          className="Tooltip-layer"
          sideOffset={4}
          positionMethod="fixed"
        >
          <Base.Popup className="Tooltip" aria-hidden="true">
            {content}
            {keys !== undefined && <Shortcut keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
