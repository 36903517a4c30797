import { isWebKitGtk } from '../layers/shortcuts';

/** WebKitGTK tells screen readers that a button with `aria-haspopup` is a combo box. */
export const menuTriggerRole = isWebKitGtk ? { 'aria-haspopup': undefined } : {};
