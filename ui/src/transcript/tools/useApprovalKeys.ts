/**
 * Registers the shortcuts that answer an approval request.
 */
import { useText } from '../../i18n';
import { useShortcut } from '../../kit/keyboard/shortcuts';
import { approvalKeys } from '../../state/turn/approvalKeys';

/**
 * While the request is mounted. A repeated key event is ignored: it must not answer the next request.
 */
export function useApprovalKeys(press: (answer: keyof typeof approvalKeys) => void) {
  const text = useText();
  useShortcut(approvalKeys.once, text('keyboard.allowsOnce'), (event) => {
    if (event?.repeat !== true) press('once');
  });
  useShortcut(approvalKeys.deny, text('keyboard.denies'), (event) => {
    if (event?.repeat !== true) press('deny');
  });
}
