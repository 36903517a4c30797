/** The cost of another model reading the conversation, which its cache does not contain. */
import { useText } from '../../i18n';
import type { ModelRef, SwitchPreview } from '../../ipc/bindings';
import { useModelName } from '../models/useModelName';
import { useEstimateText } from './costText';

/** Null where that is not known, not billed, or not shown. */
export function useReadingCostText(): (model: ModelRef, preview: SwitchPreview) => string | null {
  const text = useText();
  const nameOf = useModelName();
  const estimateText = useEstimateText();
  return (model, { reading }) => {
    if (reading?.type !== 'between' && reading?.type !== 'atLeast') return null;
    const cost = estimateText(reading);
    return cost === null ? null : text('usage.reading', { model: nameOf(model), cost });
  };
}
