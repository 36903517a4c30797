/**
 * The context strategy of a session: a line with the current one, which expands to all, described with the
 * numbers of the session's model. A choice takes effect with the next message.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionView, Strategy, StrategyNumbers } from '../ipc/bindings';
import { Banner } from '../kit/display/Banner';
import { Button } from '../kit/controls/Button';
import { Disclosure } from '../kit/controls/Disclosure';
import { RadioGroup } from '../kit/fields/RadioGroup';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { useModelName } from '../state/models/useModelName';
import { useStrategies } from '../state/queries/queries';
import { useStrategyChoices } from '../state/models/useStrategyChoices';

export function StrategyChoice({ view }: { view: SessionView }) {
  const { data: numbers } = useStrategies(view.session.id);
  return numbers ? <StrategyDisclosure view={view} numbers={numbers} /> : null;
}

function StrategyDisclosure({ view, numbers }: { view: SessionView; numbers: StrategyNumbers }) {
  const text = useText();
  const nameOf = useModelName();
  const choices = useStrategyChoices(numbers);
  const { commands } = useBackend();
  const reportError = useReportError(useToast());
  const { id, overrides } = view.session;
  const chosen = text(`strategy.${view.strategy}`);
  const choose = (strategy: Strategy | null) => {
    reportError(commands.setOverride(id, { name: 'strategy', value: strategy }));
  };
  return (
    <div className="StrategyChoice">
      <Disclosure label={text('strategy.chosen', { name: chosen })}>
        <RadioGroup
          label={text('strategy.title')}
          value={overrides.strategy ?? 'follow'}
          choices={[
            {
              value: 'follow' as const,
              label: text('strategy.follow', { name: text(`strategy.${numbers.global}`) }),
            },
            ...choices,
          ]}
          onChange={(value) => {
            choose(value === 'follow' ? null : value);
          }}
        />
        {numbers.summarizeAbove === null && (
          <p className="ContextDialog-note">
            {text('strategy.unknownWindow', { model: nameOf(numbers.model) })}
          </p>
        )}
        <p className="ContextDialog-note">
          {text(view.automatic ? 'strategy.later' : 'strategy.off')}
        </p>
      </Disclosure>
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
