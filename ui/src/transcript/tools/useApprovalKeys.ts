/**
 * Registers the keys that answer the question of a tool.
 */
import { useText } from '../../i18n';
import { useShortcut } from '../../kit/layers/shortcuts';
import { approvalKeys } from '../../state/turn/approvalKeys';

/** For as long as it is on screen. A key that is held down answers nothing that comes after. */
export function useApprovalKeys(press: (answer: keyof typeof approvalKeys) => void) {
  const text = useText();
  useShortcut(approvalKeys.once, text('keyboard.allowsOnce'), (event) => {
    if (event?.repeat !== true) press('once');
  });
  useShortcut(approvalKeys.deny, text('keyboard.denies'), (event) => {
    if (event?.repeat !== true) press('deny');
  });
}
