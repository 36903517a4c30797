/**
 * The context strategy of sessions without one of their own, described with the numbers of the default
 * model.
 */
import { useText } from '../../i18n';
import type { Strategy } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { useModelName } from '../../state/models/useModelName';
import { useStrategies } from '../../state/queries/queries';
import { useStrategyChoices } from '../../state/models/useStrategyChoices';
import { useNavigateToModel } from '../../state/app/modelNavigation';

type StrategySettingProps = { strategy: Strategy; onChange: (strategy: Strategy) => void };

export function StrategySetting({ strategy, onChange }: StrategySettingProps) {
  const text = useText();
  const nameOf = useModelName();
  const { data: numbers } = useStrategies(null);
  const choices = useStrategyChoices(numbers);
  const toModel = useNavigateToModel();
  const isUnknown = numbers?.summarizeAbove === null;
  return (
    <div>
      <RadioGroup
        label={text('settings.strategy')}
        value={strategy}
        choices={choices}
        onChange={onChange}
      />
      {numbers && (
        <p className="Field-hint Settings-numbers">
          {text(isUnknown ? 'strategy.unknownWindow' : 'strategy.ofNewSessions', {
            model: nameOf(numbers.model),
          })}{' '}
          {isUnknown && (
            <Button
              onClick={() => {
                toModel(numbers.model);
              }}
            >
              {text('context.setWindow')}
            </Button>
          )}
        </p>
      )}
      {strategy === 'remind' && numbers?.takesTools === false && (
        <Banner
          kind="warning"
          actions={
            <Button
              onClick={() => {
                onChange('summarize');
              }}
            >
              {text('strategy.useSummarize')}
            </Button>
          }
        >
          {text('strategy.noTools')}
        </Banner>
      )}
    </div>
  );
}
