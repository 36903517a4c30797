/**
 * Keys as this computer's keyboard names them: ⌘K on a Mac, Ctrl+K elsewhere.
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

/** Keys as `aria-keyshortcuts` has them. */
export const ariaKeys = (keys: string) => keys.replace('Mod', isMac ? 'Meta' : 'Control');

/** Between keys for those who listen; who looks sees each by itself, also a plus. */
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
