/**
 * A few words that appear on hover, and where the keyboard has walked to. They repeat or detail what
 * the control already says to a screen reader: nothing may be found in a tooltip alone.
 */
import { Tooltip as Base } from '@base-ui/react/tooltip';
import type { ReactElement } from 'react';
import { focusWalked } from './focus';
import { useLayer } from './layers';
import { Shortcut } from './Shortcut';
import './Tooltip.css';

type TooltipProps = {
  content: string;
  keys?: string | undefined;
  children: ReactElement;
};

export function Tooltip({ content, keys, children }: TooltipProps) {
  const layer = useLayer();
  return (
    <Base.Root
      disableHoverablePopup
      onOpenChange={(open, change) => {
        if (open && change.reason === 'trigger-focus' && !focusWalked()) change.cancel();
      }}
    >
      <Base.Trigger render={children} delay={500} />
      <Base.Portal container={layer}>
        <Base.Positioner className="Tooltip-layer" sideOffset={4} positionMethod="fixed">
          <Base.Popup className="Tooltip" aria-hidden="true">
            {content}
            {keys !== undefined && <Shortcut keys={keys} />}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
