/**
 * The part of the kit that stands on Base UI's popups. Only layers/popupLibrary.ts imports it, on demand.
 */
import { HoverCardPopup } from './HoverCardPopup';
import { MenuPopup, MenuPopupItem, MenuPopupRadioGroup, MenuPopupSeparator } from './MenuPopup';
import { PopoverPopup } from './PopoverPopup';
import { SelectPopup } from './SelectPopup';
import { TooltipPopup } from './TooltipPopup';

export const popups = {
  HoverCard: HoverCardPopup,
  Menu: MenuPopup,
  MenuItem: MenuPopupItem,
  MenuRadioGroup: MenuPopupRadioGroup,
  MenuSeparator: MenuPopupSeparator,
  Popover: PopoverPopup,
  Select: SelectPopup,
  Tooltip: TooltipPopup,
};
