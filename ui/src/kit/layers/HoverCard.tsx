/**
 * A preview of what a button opens: it is shown on hover and keyboard focus, and hidden by Escape and by a
 * press. The focus stays on the button, and the card lets clicks through. It repeats content only: the
 * button's description has the same in short, and what the button opens has all of it.
 */
import type { ReactElement, ReactNode } from 'react';
import { usePopups } from './popupLibrary';

export type HoverCardProps = {
  /** The accessible name. */
  label: string;
  /** The button. */
  trigger: ReactElement;
  children: ReactNode;
};

export function HoverCard(props: HoverCardProps) {
  const { popups } = usePopups();
  return popups ? <popups.HoverCard {...props} /> : props.trigger;
}
