/**
 * The key that sends and the key that breaks the line, by the user's setting.
 */
import { isMac } from './shortcuts';

/** Enter alone, or only with Ctrl or Cmd. */
type SendKeySetting = 'enter' | 'modEnter';

type KeyPress = {
  key: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
};

export function isSendKey(
  setting: SendKeySetting,
  { key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress,
) {
  if (key !== 'Enter' || shiftKey || altKey) return false;
  const mod = isMac ? metaKey : ctrlKey;
  switch (setting) {
    case 'enter':
      return true;
    case 'modEnter':
      return mod;
  }
}
