/**
 * Buttons with words. One that shows only a picture is an IconButton.
 */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';
import { Tooltip } from '../layers/Tooltip';
import './Button.css';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'type'> & {
  /** `primary` at most once per view; `quiet` where buttons stand among words. */
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  submit?: boolean;
  /** Its words where it may be so narrow that the picture alone is left: then they are its tooltip. */
  brief?: string;
  /** Shown in the tooltip of what is brief, as `useShortcut` takes it: `Mod+B`. */
  keys?: string;
};

export function Button(props: ButtonProps) {
  const { kind = 'plain', icon, submit = false, brief, keys, children, ...rest } = props;
  const button = (
    <button {...rest} type={submit ? 'submit' : 'button'} className="Button" data-kind={kind}>
      {icon && <Icon name={icon} />}
      {brief !== undefined && <span data-wide>{brief}</span>}
      {children}
    </button>
  );
  if (brief === undefined) return button;
  const name = rest['aria-label'];
  const saysMore = keys !== undefined || name !== undefined;
  return (
    <Tooltip content={name ?? brief} keys={keys} needed={saysMore ? undefined : isLabelHidden}>
      {button}
    </Tooltip>
  );
}

/** Its words are out of sight, where the styles around it have taken them away. */
function isLabelHidden(button: Element): boolean {
  const words = button.querySelector('[data-wide]');
  return words !== null && getComputedStyle(words).position === 'absolute';
}
