/**
 * A small non-modal dialog that is anchored to its button.
 */
import type { ReactElement, ReactNode } from 'react';
import { PendingTrigger } from './PendingTrigger';
import { usePopups } from './popupLibrary';
import { popupRole } from './popupRole';

export type PopoverProps = {
  /** The accessible name. */
  label: string;
  trigger: ReactElement;
  open?: boolean;
  onOpenChange?: (open: boolean) => void;
  children: ReactNode;
};

export function Popover(props: PopoverProps) {
  const { popups, pressed, press } = usePopups();
  return popups ? (
    <popups.Popover {...props} defaultOpen={pressed} />
  ) : (
    <PendingTrigger
      trigger={props.trigger}
      role={popupRole('dialog')}
      onPress={() => {
        props.onOpenChange?.(true);
        press();
      }}
    />
  );
}
