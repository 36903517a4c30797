/**
 * A button with a label. A button with an icon alone is an IconButton.
 */
import type { ComponentProps } from 'react';
import { Icon, type IconName } from './Icon';
import { Tooltip } from '../layers/Tooltip';
import './Button.css';

type ButtonProps = Omit<ComponentProps<'button'>, 'className' | 'type'> & {
  /** `primary`: at most once per view. `quiet`: for buttons inside text. */
  kind?: 'plain' | 'primary' | 'danger' | 'quiet';
  icon?: IconName;
  submit?: boolean;
  /**
   * A label that the styles hide in a narrow place, where only the icon is left; it is then the tooltip.
   */
  brief?: string;
  /** The second line of a `brief` button's tooltip. The same text belongs into its `aria-describedby`. */
  hint?: string;
  /** The keyboard shortcut in the tooltip, in the form of `useShortcut`: `Mod+B`. */
  keys?: string;
};

export function Button(props: ButtonProps) {
  const { kind = 'plain', icon, submit = false, brief, hint, keys, children, ...rest } = props;
  const button = (
    <button {...rest} type={submit ? 'submit' : 'button'} className="Button" data-kind={kind}>
      {icon && <Icon name={icon} />}
      {brief !== undefined && <span data-wide>{brief}</span>}
      {children}
    </button>
  );
  if (brief === undefined) return button;
  const name = rest['aria-label'];
  const saysMore = [keys, name, hint].some((words) => words !== undefined);
  return (
    <Tooltip
      content={[name ?? brief, ...(hint === undefined ? [] : [hint])].join('\n')}
      keys={keys}
      needed={saysMore ? undefined : isLabelHidden}
    >
      {button}
    </Tooltip>
  );
}

/** The styles around the button hide its label. */
function isLabelHidden(button: Element): boolean {
  const words = button.querySelector('[data-wide]');
  return words !== null && getComputedStyle(words).position === 'absolute';
}
