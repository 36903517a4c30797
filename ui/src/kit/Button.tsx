/**
 * Buttons with words. One that shows only a picture is an IconButton.
 */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';
import './Button.css';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'type'> & {
  /** `primary` at most once per view; `quiet` where buttons stand among words. */
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  submit?: boolean;
};

export function Button({ kind = 'plain', icon, submit = false, children, ...rest }: ButtonProps) {
  return (
    <button {...rest} type={submit ? 'submit' : 'button'} className="Button" data-kind={kind}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
