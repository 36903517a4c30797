import { isWebKitGtk } from '../keyboard/shortcuts';

/**
 * The kind of popup that a button opens, for screen readers. WebKitGTK calls a button with
 * `aria-haspopup` a combo box, so it has none there.
 */
export const popupRole = (kind: 'menu' | 'dialog') => ({
  'aria-haspopup': isWebKitGtk ? undefined : kind,
});
