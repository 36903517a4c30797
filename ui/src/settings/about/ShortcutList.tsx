/**
 * All keyboard shortcuts: those that mounted components have registered, and those of the composer.
 */
import { useText } from '../../i18n';
import type { SendKey } from '../../ipc/bindings';
import { Shortcut } from '../../kit/keyboard/Shortcut';
import { useShortcuts } from '../../kit/keyboard/shortcuts';
import { undoKeys } from '../../kit/notifications/Toast';
import { approvalKeys } from '../../state/turn/approvalKeys';
import './ShortcutList.css';

export function ShortcutList({ send }: { send: SendKey }) {
  const text = useText();
  // Some are registered only while they have an effect.
  const sometimes: readonly string[] = ['Escape', undoKeys, approvalKeys.once, approvalKeys.deny];
  const everywhere = useShortcuts().filter(({ keys }) => !sometimes.includes(keys));
  const inBox = [
    { keys: send === 'enter' ? 'Enter' : 'Mod+Enter', label: text('keyboard.sends') },
    { keys: send === 'enter' ? 'Shift+Enter' : 'Enter', label: text('keyboard.breaks') },
    { keys: 'ArrowUp', label: text('keyboard.editsLast') },
    { keys: '/', label: text('keyboard.commands') },
    { keys: 'Escape', label: text('keyboard.stops') },
    { keys: undoKeys, label: text('keyboard.undoes') },
    { keys: approvalKeys.once, label: text('keyboard.allowsOnce') },
    { keys: approvalKeys.deny, label: text('keyboard.denies') },
  ];
  return (
    <dl className="ShortcutList">
      {[...everywhere, ...inBox].map(({ keys, label }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>
            <Shortcut keys={keys} />
          </dd>
        </div>
      ))}
    </dl>
  );
}
