/**
 * A menu behind a button, with the usual keys: arrows, letters and Escape.
 */
import { Menu as Base } from '@base-ui/react/menu';
import type { ReactElement, ReactNode } from 'react';
import { Icon, type IconName } from './Icon';
import { useOverlay } from '../layers/overlayStack';
import { Shortcut } from '../layers/Shortcut';
import { isWebKitGtk } from '../layers/shortcuts';
import './Menu.css';

type MenuProps = {
  /** The button that opens the menu: a Button or an IconButton. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
};

/** WebKitGTK tells screen readers that a button with `aria-haspopup` is a combo box. */
const triggerRole = isWebKitGtk ? { 'aria-haspopup': undefined } : {};

export function Menu({ trigger, align = 'start', children }: MenuProps) {
  const layer = useOverlay();
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} data-menu-trigger="" {...triggerRole} />
      <Base.Portal container={layer}>
        <Base.Positioner className="Menu-layer" sideOffset={4} align={align} positionMethod="fixed">
          <Base.Popup className="Menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

type MenuItemProps = {
  icon?: IconName;
  onSelect: () => void;
  disabled?: boolean;
  /** A destructive command. */
  danger?: boolean;
  keys?: string;
  children: string;
};

export function MenuItem({
  icon,
  onSelect,
  disabled = false,
  danger = false,
  keys,
  children,
}: MenuItemProps) {
  return (
    <Base.Item
      className="Menu-item"
      data-danger={danger || undefined}
      disabled={disabled}
      onClick={onSelect}
      label={children}
    >
      {icon && <Icon name={icon} />}
      <span>{children}</span>
      {keys !== undefined && <Shortcut keys={keys} />}
    </Base.Item>
  );
}

type MenuRadioGroupProps<Value extends string> = {
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice of one value, as radio items. */
export function MenuRadioGroup<Value extends string>({
  choices,
  value,
  onChange,
}: MenuRadioGroupProps<Value>) {
  return (
    <Base.RadioGroup
      value={value}
      onValueChange={(chosen: Value) => {
        onChange(chosen);
      }}
    >
      {choices.map((choice) => (
        <Base.RadioItem
          key={choice.value}
          className="Menu-item"
          value={choice.value}
          label={choice.label}
          closeOnClick
        >
          <Base.RadioItemIndicator className="Menu-mark">
            <Icon name="check" />
          </Base.RadioItemIndicator>
          <span>{choice.label}</span>
        </Base.RadioItem>
      ))}
    </Base.RadioGroup>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="Menu-line" />;
}
