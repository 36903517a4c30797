/**
 * A button with an icon. Its name is a tooltip, and a label for screen readers.
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
  /** The keyboard shortcut in the tooltip, in the form of `useShortcut`: `Mod+B`. */
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
