/** The button of a popup that is not loaded yet: a press loads it. */
import {
  cloneElement,
  useState,
  type AriaAttributes,
  type ButtonHTMLAttributes,
  type ReactElement,
} from 'react';
import { useText } from '../../i18n';
import { useToast } from '../notifications/Toast';
import { loadPopups } from './popupLibrary';

type PendingTriggerProps = {
  trigger: ReactElement;
  /** The role that a screen reader announces for the button. */
  role: Pick<AriaAttributes, 'aria-haspopup'> & { role?: 'combobox' };
  /** The popup opens when it is loaded. */
  onPress: () => void;
};

export function PendingTrigger({ trigger, role, onPress }: PendingTriggerProps) {
  const text = useText();
  const toast = useToast();
  const [loading, setLoading] = useState(false);
  const open = () => {
    setLoading(true);
    onPress();
    loadPopups().catch((error: unknown) => {
      console.error('the popups could not be loaded', error);
      setLoading(false);
      toast({ words: text('kit.failedToLoad'), failed: true });
    });
  };
  return cloneElement(trigger as ReactElement<ButtonHTMLAttributes<Element>>, {
    ...role,
    'aria-expanded': false,
    'aria-busy': loading || undefined,
    onClick: open,
    onKeyDown: (event) => {
      if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
      event.preventDefault();
      open();
    },
  });
}
