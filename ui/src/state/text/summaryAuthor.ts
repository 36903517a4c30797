/**
 * The author of a summary: the model, with the provider's own compaction where that wrote it, or none.
 */
import type { Translate } from '../../i18n';
import type { PointView } from '../../ipc/bindings';

export function summaryAuthor(text: Translate, { point, writer }: PointView) {
  const model = point.model?.model;
  if (model === undefined) return text('transcript.noModel');
  return writer === 'provider' ? text('compaction.byProvider', { model }) : model;
}
