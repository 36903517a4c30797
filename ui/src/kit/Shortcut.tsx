/**
 * Keys as this computer's keyboard names them: ⌘K on a Mac, Ctrl+K elsewhere.
 */
import { onMac } from './shortcuts';
import './Shortcut.css';

const macNames: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '⏎' };
const otherNames: Record<string, string> = { Mod: 'Ctrl' };

export function Shortcut({ keys }: { keys: string }) {
  const names = keys.split('+').map((key) => (onMac ? macNames : otherNames)[key] ?? key);
  return (
    <span className="Shortcut">
      <kbd>{names.join(onMac ? '' : '+')}</kbd>
    </span>
  );
}
