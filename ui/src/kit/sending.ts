/**
 * Which key sends and which breaks the line, as the person set it.
 */
import { onMac } from './shortcuts';

/** Enter alone, or only with Ctrl or Cmd. */
type SendKey = 'enter' | 'modEnter';

type Pressed = {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
};

export function sends(setting: SendKey, { key, shiftKey, ctrlKey, metaKey, altKey }: Pressed) {
  if (key !== 'Enter' || shiftKey || altKey) return false;
  const mod = onMac ? metaKey : ctrlKey;
  switch (setting) {
    case 'enter':
      return true;
    case 'modEnter':
      return mod;
  }
}
