/**
 * What happens by itself in the sessions that decide nothing of their own, said in the numbers of the
 * model that new sessions begin with.
 */
import { useText } from '../i18n';
import type { Strategy } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { RadioGroup } from '../kit/RadioGroup';
import { useStrategies } from '../state/reading';
import { useStrategyChoices } from '../state/strategies';

type StrategySettingProps = { strategy: Strategy; onChange: (strategy: Strategy) => void };

export function StrategySetting({ strategy, onChange }: StrategySettingProps) {
  const text = useText();
  const { data: numbers } = useStrategies(null);
  const choices = useStrategyChoices(numbers);
  const { model } = numbers?.model ?? {};
  return (
    <div>
      <RadioGroup
        label={text('settings.strategy')}
        value={strategy}
        choices={choices}
        onChange={onChange}
      />
      {model !== undefined && (
        <p className="Field-hint Settings-numbers">
          {text(
            numbers?.summarizeAbove === null ? 'strategy.unknownWindow' : 'strategy.ofNewSessions',
            { model },
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
