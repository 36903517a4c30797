/**
 * The note beside settings that are shares of the context window, while the default model's own is unknown.
 */
import { useFormats, useText } from '../../i18n';
import { assumedWindow } from '../../state/models/modelRef';
import { useModelName } from '../../state/models/useModelName';
import { useStrategies } from '../../state/queries/queries';

/** The note; undefined: the context window is known, or not read yet. */
export function useAssumedWindowNote(): readonly string[] {
  const text = useText();
  const nameOf = useModelName();
  const { exact } = useFormats();
  const { data: numbers } = useStrategies(null);
  if (numbers?.summarizeAbove !== null) return [];
  return [text('strategy.assumed', { model: nameOf(numbers.model), tokens: exact(assumedWindow) })];
}
