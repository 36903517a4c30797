/**
 * Registers the keys that answer the question of a tool.
 */
import { useText } from '../i18n';
import { useShortcut } from '../kit/shortcuts';
import { answerKeys } from '../state/answerKeys';

/** For as long as it is on screen. A key that is held down answers nothing that comes after. */
export function useAnswerKeys(press: (answer: keyof typeof answerKeys) => void) {
  const text = useText();
  useShortcut(answerKeys.once, text('keyboard.allowsOnce'), (event) => {
    if (event?.repeat !== true) press('once');
  });
  useShortcut(answerKeys.deny, text('keyboard.denies'), (event) => {
    if (event?.repeat !== true) press('deny');
  });
}
