/**
 * A preview of what a button opens: it is shown on hover and keyboard focus, and hidden by Escape and by a
 * press. The focus stays on the button, and the card lets clicks through. It repeats content only: the
 * button's description has the same in short, and what the button opens has all of it.
 */
import { PreviewCard as Base } from '@base-ui/react/preview-card';
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import { isKeyboardFocus } from '../a11y/focus';
import { topOverlay, useOverlay } from './overlayStack';
import './Popover.css';

type HoverCardProps = {
  /** The accessible name. */
  label: string;
  /** The button. */
  trigger: ReactElement;
  children: ReactNode;
};

export function HoverCard({ label, trigger, children }: HoverCardProps) {
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
