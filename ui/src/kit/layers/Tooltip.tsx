/**
 * A short text that appears on hover and on keyboard focus. It repeats or details the control's accessible
 * name and description: no information is in a tooltip alone. A conversation has thousands of controls and
 * shows one tooltip: the popup is created on demand.
 */
import { mergeProps } from '@base-ui/react/merge-props';
import { cloneElement, useEffect, useState, type HTMLAttributes, type ReactElement } from 'react';
import { isKeyboardFocus } from '../a11y/focus';
import { usePopups } from './popupLibrary';

/** How long the pointer rests on a control before its tooltip appears, in ms. */
const hoverDelayMs = 500;

const always = () => true;

export type TooltipProps = {
  content: string;
  keys?: string | undefined;
  /** True if the tooltip says more than the visible control; undefined: always. */
  needed?: ((control: Element) => boolean) | undefined;
  children: ReactElement<HTMLAttributes<Element>>;
};

export function Tooltip({ content, keys, needed = always, children }: TooltipProps) {
  const [hovered, setHovered] = useState<Element | null>(null);
  const [anchor, setAnchor] = useState<Element | null>(null);
  const { popups } = usePopups();
  useEffect(() => {
    if (!hovered) return;
    const waiting = setTimeout(setAnchor, hoverDelayMs, hovered);
    return () => {
      clearTimeout(waiting);
    };
  }, [hovered]);
  const leave = () => {
    setHovered(null);
    setAnchor(null);
  };
  const own: HTMLAttributes<Element> = {
    onPointerEnter: ({ currentTarget, pointerType }) => {
      if (pointerType === 'mouse' && needed(currentTarget)) setHovered(currentTarget);
    },
    onPointerLeave: leave,
    onPointerDown: leave,
    onFocus: ({ currentTarget }) => {
      if (isKeyboardFocus() && needed(currentTarget)) setAnchor(currentTarget);
    },
    onBlur: leave,
  };
  return (
    <>
      {cloneElement(children, mergeProps<'div'>(children.props, own))}
      {anchor && popups && <popups.Tooltip {...{ anchor, content, keys }} onClose={leave} />}
    </>
  );
}
