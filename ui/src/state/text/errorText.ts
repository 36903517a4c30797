/**
 * Error messages in the user's language, with the next step. Every error kind of Rust has a text: a kind
 * without one does not compile.
 */
import type { Translate } from '../../i18n';
import type { Error as AppError, FileError } from '../../ipc/bindings';
import { notFoundText } from './notFoundText';

/** Converts anything thrown to Rust's tagged error. */
export function toAppError(thrown: unknown): AppError {
  if (typeof thrown === 'object' && thrown !== null && 'kind' in thrown) return thrown as AppError;
  return { kind: 'storage', detail: String(thrown) };
}

export function errorText(text: Translate, fault: AppError): string {
  switch (fault.kind) {
    case 'busy':
    case 'compacting':
    case 'nothingToUndo':
    case 'nothingToRedo':
    case 'emptyMessage':
    case 'leftOut':
    case 'unanswered':
    case 'noModel':
    case 'overBudget':
      return text(`errors.${fault.kind}`);
    case 'notFound':
      return notFoundText(text, fault.what);
    case 'invalid':
    case 'storage':
    case 'protocol':
    case 'keychain':
    case 'tool':
      return text(`errors.${fault.kind}`, { detail: withoutFullStop(fault.detail) });
    case 'webPage':
      return fault.title === null
        ? text('errors.webPage')
        : text('errors.webPageTitled', { title: withoutFullStop(fault.title) });
    case 'noKey':
      return text('errors.noKey', { provider: fault.provider });
    case 'unreachable':
    case 'disconnected':
      return text(`errors.${fault.kind}`, { host: fault.host });
    case 'notRunning':
      return text('errors.notRunning', { host: fault.host, provider: fault.provider });
    case 'timedOut':
      return text('errors.timedOut', { host: fault.host, seconds: fault.seconds });
    case 'unauthorized':
    case 'spent':
    case 'forbidden':
      return text(`errors.${fault.kind}`, { message: withoutFullStop(fault.message) });
    case 'unknownModel':
      return text('errors.unknownModel', {
        model: fault.model,
        message: withoutFullStop(fault.message),
      });
    case 'rateLimited':
      return fault.retryAfterMs === null
        ? text('errors.rateLimited', { message: withoutFullStop(fault.message) })
        : text('errors.rateLimitedFor', {
            message: withoutFullStop(fault.message),
            count: Math.ceil(fault.retryAfterMs / 60_000),
          });
    case 'refused':
      if (fault.message === '')
        return text('errors.refusedPlain', { status: String(fault.status) });
      return text('errors.refused', { status: String(fault.status), message: fault.message });
    case 'tooLong':
      return fault.limit === null
        ? text('errors.tooLongUnknown', { actual: fault.actual ?? '?' })
        : text('errors.tooLong', { actual: fault.actual ?? '?', limit: fault.limit });
    case 'replyTooLong':
      return text('errors.replyTooLong', { megabytes: Math.round(fault.limit / 1_048_576) });
    case 'stuck':
      return text('errors.stuck', { floor: fault.floor, limit: fault.limit });
    case 'messageTooLong':
    case 'pinsTooLarge':
      return text(`errors.${fault.kind}`, { tokens: fault.tokens, limit: fault.limit });
    case 'notCompacted':
      return text(`errors.${fault.reason}`);
    case 'notSignedIn':
      return fault.reason.type === 'failed'
        ? text('errors.signIn_failed', { detail: withoutFullStop(fault.reason.detail) })
        : text(`errors.signIn_${fault.reason.type}`);
    case 'databaseNewer':
      return text('errors.databaseNewer', {
        path: fault.path,
        found: fault.found,
        known: fault.known,
      });
    case 'databaseForeign':
      return text('errors.databaseForeign', { path: fault.path, object: fault.object });
    case 'databaseLocked':
    case 'databaseMoved':
    case 'diskFull':
    case 'diskFailing':
      return text(`errors.${fault.kind}`, { path: fault.path });
    case 'databaseDamaged':
      return text('errors.databaseDamaged', { path: fault.path, backup: fault.backup ?? '–' });
    case 'settingsBroken':
      return text('errors.settingsBroken', { path: fault.path, detail: fault.detail });
    case 'badFolder':
      return text(`errors.folder_${fault.fault}`, { path: fault.path });
    case 'badFile':
      return fileErrorText(text, fault.name, fault.fault);
  }
}

/** The error that is stored with a failed reply. Text of another program is shown as it is. */
export function parseStoredError(kept: string): AppError {
  try {
    const read: unknown = JSON.parse(kept);
    return isAppError(read) ? read : toAppError(kept);
  } catch {
    return toAppError(kept);
  }
}

const appErrorKinds: Record<AppError['kind'], true> = {
  busy: true,
  compacting: true,
  nothingToUndo: true,
  nothingToRedo: true,
  emptyMessage: true,
  leftOut: true,
  unanswered: true,
  noModel: true,
  overBudget: true,
  notFound: true,
  invalid: true,
  storage: true,
  webPage: true,
  protocol: true,
  keychain: true,
  tool: true,
  noKey: true,
  unreachable: true,
  disconnected: true,
  notRunning: true,
  timedOut: true,
  unauthorized: true,
  spent: true,
  forbidden: true,
  unknownModel: true,
  rateLimited: true,
  refused: true,
  tooLong: true,
  stuck: true,
  messageTooLong: true,
  pinsTooLarge: true,
  replyTooLong: true,
  notCompacted: true,
  notSignedIn: true,
  databaseNewer: true,
  databaseLocked: true,
  databaseMoved: true,
  diskFull: true,
  diskFailing: true,
  databaseDamaged: true,
  databaseForeign: true,
  settingsBroken: true,
  badFolder: true,
  badFile: true,
};

export const isAppError = (thrown: unknown): thrown is AppError =>
  typeof thrown === 'object' &&
  thrown !== null &&
  'kind' in thrown &&
  typeof thrown.kind === 'string' &&
  Object.hasOwn(appErrorKinds, thrown.kind);

/** Why a file cannot be attached, shown, imported or restored. */
export function fileErrorText(text: Translate, name: string, fault: FileError): string {
  if (fault.type === 'tooLarge' || fault.type === 'unpacks') {
    return text(`errors.file_${fault.type}`, { name, size: Math.floor(fault.limit / 1_048_576) });
  }
  if (fault.type === 'foreignSchema') {
    return text('errors.file_foreignSchema', { name, object: fault.object });
  }
  return fault.type === 'tooSlow'
    ? text('errors.file_tooSlow', { name, seconds: fault.seconds })
    : text(`errors.file_${fault.type}`, { name });
}

/**
 * Text of another program inside a sentence of ours, which has its own full stop. The error number of the
 * operating system is dropped.
 */
export const withoutFullStop = (words: string) =>
  words
    .replaceAll(/ \(os error \d+\)/g, '')
    .trim()
    .replace(/[.。]+$/, '');
