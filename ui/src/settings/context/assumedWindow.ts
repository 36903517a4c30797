/**
 * What stands in for the window of a model that nobody has heard of, said where a setting is a share of it.
 */
import { useFormats, useText } from '../../i18n';
import { assumedWindow } from '../../state/models/modelRef';
import { useModelName } from '../../state/models/useModelName';
import { useStrategies } from '../../state/queries/queries';

/** A sentence on the model that new sessions begin with; none where its window is known, or not read yet. */
export function useAssumedWindowNote(): readonly string[] {
  const text = useText();
  const nameOf = useModelName();
  const { exact } = useFormats();
  const { data: numbers } = useStrategies(null);
  if (numbers?.summarizeAbove !== null) return [];
  return [text('strategy.assumed', { model: nameOf(numbers.model), tokens: exact(assumedWindow) })];
}
