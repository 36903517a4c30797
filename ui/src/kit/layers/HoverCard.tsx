/**
 * What a button opens, in short: there when the pointer rests on the button or the keyboard has walked to
 * it, gone with them, with Esc and with a press. The focus stays on the button, and the pointer presses
 * through it what it lies over. Nothing may be found in it alone: the button's description says in short
 * what it shows, and what the button opens says all of it.
 */
import { PreviewCard as Base } from '@base-ui/react/preview-card';
import { useRef, useState, type ReactElement, type ReactNode } from 'react';
import { isKeyboardFocus } from '../a11y/focus';
import { topOverlay, useOverlay } from './overlayStack';
import './Popover.css';

type HoverCardProps = {
  /** Its accessible name. */
  label: string;
  /** The button. */
  trigger: ReactElement;
  children: ReactNode;
};

export function HoverCard({ label, trigger, children }: HoverCardProps) {
  const layer = useOverlay();
  const [open, setOpen] = useState(false);
  const pressedAt = useRef<MouseEvent>(null);
  /** A dialog that closes above a resting pointer lets it enter the button: nobody pointed there. */
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
