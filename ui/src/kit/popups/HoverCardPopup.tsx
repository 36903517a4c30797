/** A hover card and its button, on Base UI. */
import { PreviewCard as Base } from '@base-ui/react/preview-card';
import { useRef, useState } from 'react';
import { isKeyboardFocus } from '../a11y/focus';
import type { HoverCardProps } from '../layers/HoverCard';
import { topOverlay, useOverlay } from '../layers/overlayStack';
import '../layers/Popover.css';

export function HoverCardPopup({ label, trigger, children }: HoverCardProps) {
  const layer = useOverlay();
  const [open, setOpen] = useState(false);
  const pressedAt = useRef<MouseEvent>(null);
  /**
   * When a dialog closes above a resting pointer, the browser fires an enter event: the user did not point
   * there.
   */
  const rests = (event: Event) =>
    event instanceof MouseEvent &&
    event.screenX === pressedAt.current?.screenX &&
    event.screenY === pressedAt.current.screenY;
  return (
    <Base.Root
      open={open}
      onOpenChange={(next, { reason, event }) => {
        const meant = reason === 'trigger-focus' ? isKeyboardFocus() : !rests(event);
        setOpen(next && meant && topOverlay() === (layer ?? null));
      }}
    >
      <Base.Trigger
        render={trigger}
        delay={600}
        closeDelay={200}
        onClick={({ nativeEvent }) => {
          pressedAt.current = nativeEvent;
          setOpen(false);
        }}
      />
      <Base.Portal container={layer}>
        <Base.Positioner
          className="Popover-layer Preview-layer"
          side="top"
          align="end"
          sideOffset={8}
          collisionPadding={8}
          positionMethod="fixed"
        >
          <Base.Popup className="Popover" role="dialog" aria-label={label}>
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
