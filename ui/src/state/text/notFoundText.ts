/**
 * The message for something that no longer exists. Rust names its kind; an unknown kind gets a general
 * text.
 */
import type { TextKey, Translate } from '../../i18n';

type NotFoundKey = Exclude<Extract<TextKey, `errors.gone${string}`>, 'errors.gone_server'>;

const notFoundKeys = new Map<string, NotFoundKey>([
  ['session', 'errors.gone_session'],
  ['thread', 'errors.gone_thread'],
  ['thread before', 'errors.gone_threadBefore'],
  ['message', 'errors.gone_message'],
  ['waiting message', 'errors.gone_waiting'],
  ['attachment', 'errors.gone_attachment'],
  ['output', 'errors.gone_output'],
  ['tool output', 'errors.gone_output'],
  ['compaction', 'errors.gone_compaction'],
  ['reminder', 'errors.gone_reminder'],
  ['provider', 'errors.gone_provider'],
  ['listed model', 'errors.gone_listedModel'],
  ['question', 'errors.gone_question'],
  ['deletion', 'errors.gone_deletion'],
  ['deleted session', 'errors.gone_deletion'],
]);

export function notFoundText(text: Translate, what: string): string {
  const [, server] = /^MCP server (.+)$/s.exec(what) ?? [];
  return server === undefined
    ? text(notFoundKeys.get(what) ?? 'errors.gone')
    : text('errors.gone_server', { name: server });
}
