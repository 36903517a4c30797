/**
 * A button that shows a picture; its name is read aloud and appears as a tooltip.
 */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';
import { Tooltip } from '../layers/Tooltip';
import './Button.css';

type IconButtonProps = Omit<
  ComponentProps<'button'>,
  'className' | 'type' | 'aria-label' | 'children'
> & {
  label: string;
  icon: IconName;
  /** Shown behind the name in the tooltip, as `useShortcut` takes it: `Mod+B`. */
  keys?: string;
};

export function IconButton({ label, icon, keys, ...rest }: IconButtonProps) {
  return (
    <Tooltip content={label} keys={keys}>
      <button {...rest} type="button" className="IconButton" aria-label={label}>
        <Icon name={icon} />
      </button>
    </Tooltip>
  );
}
