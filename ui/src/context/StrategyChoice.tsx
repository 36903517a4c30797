/**
 * What happens by itself as this session's window fills, each way said in the numbers of its model.
 * Choosing acts at no moment by itself: the next message is where it counts.
 */
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionView, Strategy, StrategyNumbers } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { RadioGroup } from '../kit/RadioGroup';
import { useStrategies } from '../state/reading';

const strategies = ['summarize', 'remind', 'archive'] as const;

export function StrategyChoice({ view }: { view: SessionView }) {
  const text = useText();
  const words = useStrategyWords();
  const { commands } = useBackend();
  const { id, overrides } = view.session;
  const { data: numbers } = useStrategies(id);
  if (!numbers) return null;
  const choose = (strategy: Strategy | null) => {
    void commands.setOverrides(id, { ...overrides, strategy });
  };
  return (
    <div className="StrategyChoice">
      <RadioGroup
        label={text('strategy.title')}
        value={overrides.strategy ?? 'follow'}
        choices={[
          {
            value: 'follow' as const,
            label: text('strategy.follow', { name: text(`strategy.${numbers.global}`) }),
          },
          ...strategies.map((value) => ({
            value,
            label: text(`strategy.${value}`),
            hint: words(value, numbers),
          })),
        ]}
        onChange={(value) => {
          choose(value === 'follow' ? null : value);
        }}
      />
      <p className="ContextDialog-note">
        {text(view.automatic ? 'strategy.later' : 'strategy.off')}
      </p>
      {view.strategy === 'remind' && !numbers.takesTools && (
        <Banner
          kind="warning"
          actions={
            <Button
              onClick={() => {
                choose('summarize');
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

/** One sentence for each strategy. */
function useStrategyWords() {
  const text = useText();
  const { exact } = useFormats();
  return (strategy: Strategy, numbers: StrategyNumbers): string => {
    const { summarizeAbove, remindAbove, countDownAbove, archiveAbove } = numbers;
    switch (strategy) {
      case 'summarize':
        return summarizeAbove === null
          ? text('strategy.unknownWindow')
          : text('strategy.summarizeAt', { tokens: exact(summarizeAbove) });
      case 'remind':
        return remindAbove === null || countDownAbove === null
          ? text('strategy.unknownWindow')
          : text('strategy.remindAt', {
              optimal: exact(remindAbove),
              critical: exact(countDownAbove),
            });
      case 'archive':
        return archiveAbove === null
          ? text('strategy.unknownWindow')
          : text('strategy.archiveAt', { tokens: exact(archiveAbove) });
    }
  };
}
