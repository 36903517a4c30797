/**
 * The note beside settings that are shares of the context window, shown while the window of the default
 * model is unknown.
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
