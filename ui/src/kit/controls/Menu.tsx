/**
 * A menu behind a button, with the usual keys: arrows, letters and Escape.
 */
import type { ReactElement, ReactNode } from 'react';
import type { IconName } from './Icon';
import { PendingTrigger } from '../layers/PendingTrigger';
import { useLoadedPopups, usePopups } from '../layers/popupLibrary';
import { popupRole } from '../layers/popupRole';

export type MenuProps = {
  /** The button that opens the menu: a Button or an IconButton. */
  trigger: ReactElement;
  align?: 'start' | 'end';
  children: ReactNode;
};

export function Menu(props: MenuProps) {
  const { popups, pressed, press } = usePopups();
  return popups ? (
    <popups.Menu {...props} defaultOpen={pressed} />
  ) : (
    <PendingTrigger trigger={props.trigger} role={popupRole('menu')} onPress={press} />
  );
}

export type MenuItemProps = {
  icon?: IconName;
  onSelect: () => void;
  disabled?: boolean;
  /** A destructive command. */
  danger?: boolean;
  keys?: string;
  children: string;
};

export function MenuItem(props: MenuItemProps) {
  const popups = useLoadedPopups();
  return <popups.MenuItem {...props} />;
}

export type MenuRadioGroupProps<Value extends string> = {
  choices: readonly { value: Value; label: string }[];
  value: Value;
  onChange: (value: Value) => void;
};

/** A choice of one value, as radio items. */
export function MenuRadioGroup<Value extends string>(props: MenuRadioGroupProps<Value>) {
  const popups = useLoadedPopups();
  return <popups.MenuRadioGroup {...props} />;
}

export function MenuSeparator() {
  const popups = useLoadedPopups();
  return <popups.MenuSeparator />;
}
