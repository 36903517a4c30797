/**
 * A keyboard shortcut as this platform writes it: ⌘K on macOS, Ctrl+K elsewhere.
 */
import { Fragment } from 'react';
import { modifierName, isMac, splitKeys } from './shortcuts';
import { VisuallyHidden } from '../a11y/VisuallyHidden';
import './Shortcut.css';

const names: Record<string, string> = {
  Mod: modifierName,
  Escape: 'Esc',
  ArrowUp: '↑',
  PageUp: 'PgUp',
  PageDown: 'PgDn',
};
const macNames: Record<string, string> = {
  ...names,
  Shift: '⇧',
  Alt: '⌥',
  Enter: '⏎',
  PageUp: '⇞',
  PageDown: '⇟',
};

/** The shortcut in the form of `aria-keyshortcuts`. */
export const ariaKeys = (keys: string) => keys.replace('Mod', isMac ? 'Meta' : 'Control');

/** Between the keys, for screen readers; on screen each key has a box of its own. */
const joint = '+';

export function Shortcut({ keys }: { keys: string }) {
  const written = splitKeys(keys).map((key) => (isMac ? macNames : names)[key] ?? key);
  return (
    <span className="Shortcut">
      {written.map((key, at) => (
        <Fragment key={at}>
          {at > 0 && !isMac && <VisuallyHidden>{joint}</VisuallyHidden>}
          <kbd>{key}</kbd>
        </Fragment>
      ))}
    </span>
  );
}
