import { isWebKitGtk } from './shortcuts';

/**
 * What a button says of the popup that it opens. WebKitGTK tells screen readers that a button with
 * `aria-haspopup` is a combo box, so it says nothing there.
 */
export const popupRole = (kind: 'menu' | 'dialog') => ({
  'aria-haspopup': isWebKitGtk ? undefined : kind,
});
