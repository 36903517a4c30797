/**
 * A copy of the database in words: when it was written, why, and how large it is.
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
