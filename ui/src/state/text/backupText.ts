/**
 * The description of a backup: its time, reason and size.
 */
import type { Formats, Translate } from '../../i18n';
import type { Backup } from '../../ipc/bindings';

export function backupText(
  text: Translate,
  formats: Formats,
  { at, reason, bytes }: Backup,
): string {
  return text('data.copy', {
    when: formats.minute(at),
    why: text(`data.reason_${reason}`),
    size: formats.size(bytes),
  });
}
