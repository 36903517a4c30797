/** Backups as text: their time, reason and size, and why the daily one failed. */
import type { Formats, Translate } from '../../i18n';
import type { Backup, Error as AppError } from '../../ipc/bindings';
import { errorText, withoutFullStop } from './errorText';

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

/** Why a background task failed: the text offers no retry. */
export function backupErrorText(text: Translate, fault: AppError): string {
  const why =
    fault.kind === 'storage' ? `${withoutFullStop(fault.detail)}.` : errorText(text, fault);
  return text('data.uncopied', { fault: why });
}
