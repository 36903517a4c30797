/** A menu and its button, on Base UI. */
import { Menu as Base } from '@base-ui/react/menu';
import { Icon } from '../controls/Icon';
import type { MenuItemProps, MenuProps, MenuRadioGroupProps } from '../controls/Menu';
import { useOverlay } from '../layers/overlayStack';
import { Shortcut } from '../keyboard/Shortcut';
import type { PopupProps } from '../layers/popupLibrary';
import { popupRole } from '../layers/popupRole';
import '../controls/Menu.css';

export function MenuPopup({
  trigger,
  align = 'start',
  defaultOpen,
  children,
}: PopupProps<MenuProps>) {
  const layer = useOverlay();
  return (
    <Base.Root modal={false} defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} data-menu-trigger="" {...popupRole('menu')} />
      <Base.Portal container={layer}>
        <Base.Positioner className="Menu-layer" sideOffset={4} align={align} positionMethod="fixed">
          <Base.Popup className="Menu">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export function MenuPopupItem({
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

export function MenuPopupRadioGroup<Value extends string>({
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

export function MenuPopupSeparator() {
  return <Base.Separator className="Menu-line" />;
}
