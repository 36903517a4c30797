/**
 * Keys as this computer's keyboard names them: ⌘K on a Mac, Ctrl+K elsewhere.
 */
import { modifierName, onMac, single } from './shortcuts';
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

export function Shortcut({ keys }: { keys: string }) {
  const written = single(keys).map((key) => (onMac ? macNames : names)[key] ?? key);
  return (
    <span className="Shortcut">
      <kbd>{written.join(onMac ? '' : '+')}</kbd>
    </span>
  );
}
