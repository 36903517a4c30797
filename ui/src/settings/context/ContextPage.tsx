/**
 * "Context management": the automatic actions as the context window fills.
 */
import { useFormats, useText, type Formats, type Translate } from '../../i18n';
import type { ModelRef, Policy, StrategyNumbers } from '../../ipc/bindings';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Slider } from '../../kit/fields/Slider';
import { Stack } from '../../kit/display/Stack';
import { Switch } from '../../kit/fields/Switch';
import { useModelName } from '../../state/models/useModelName';
import { useStrategies } from '../../state/queries/queries';
import { useAssumedWindowNote } from './assumedWindow';
import { ContextAdvanced } from './ContextAdvanced';
import { ModelSelect } from '../fields/ModelSelect';
import type { SettingsPageProps } from '../useSaveSettings';
import { StrategySetting } from './StrategySetting';

/** FR-4.5 as ruled: [40, 60) · [60, 75) · [75, 90]. */
function thresholdLeaning(threshold: number) {
  if (threshold < 60) return 'costFirst';
  return threshold < 75 ? 'balanced' : 'keepInformation';
}

/** Where a compaction is due: the smaller of the share and the upper bound. */
function thresholdWords(
  numbers: StrategyNumbers | undefined,
  percent: number,
  showCosts: boolean,
  text: Translate,
  formats: Formats,
  nameOf: (model: ModelRef) => string,
) {
  const { available = null, upperBound: bound = null } = numbers ?? {};
  const model = numbers ? nameOf(numbers.model) : '';
  if (available === null) {
    return bound === null
      ? text('settings.thresholdOf')
      : text('upperBound.alone', { tokens: formats.exact(bound.tokens) });
  }
  const share = Math.floor((available * percent) / 100);
  if (bound === null || share <= bound.tokens) {
    const tokens = formats.exact(share);
    return text('settings.thresholdOfModel', {
      percent,
      available: formats.exact(available),
      model,
      tokens,
    });
  }
  const reason = bound.reason === 'priceStep' && !showCosts ? 'ofModel' : bound.reason;
  return text(`upperBound.${reason}`, {
    tokens: formats.exact(bound.tokens),
    percent,
    share: formats.exact(share),
    model,
  });
}

export function ContextPage({ settings, save }: SettingsPageProps) {
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const assumed = useAssumedWindowNote();
  const { context } = settings;
  const { data: numbers } = useStrategies(null);
  const thresholdHint = (percent: number) => {
    const side = thresholdLeaning(percent);
    const { showCosts } = settings;
    const threshold = thresholdWords(numbers, percent, showCosts, text, formats, nameOf);
    return text('settings.leaning', {
      name: text(`settings.${side}`),
      words: text(`settings.${side}Words`),
      base: [threshold, ...assumed].join(' '),
    });
  };
  const change = (part: Partial<Policy>) => {
    save((old) => ({ ...old, context: { ...old.context, ...part } }));
  };
  return (
    <Stack>
      <Switch
        label={text('settings.automatic')}
        hint={text('settings.automaticHint')}
        checked={context.automatic}
        onChange={(automatic) => {
          change({ automatic });
        }}
      />
      <Slider
        label={text('settings.threshold')}
        min={40}
        max={90}
        step={5}
        value={context.compactionThreshold}
        written={(percent) => text('settings.percent', { percent })}
        ends={[text('settings.costFirst'), text('settings.keepInformation')]}
        hint={thresholdHint}
        onChange={(compactionThreshold) => {
          change({ compactionThreshold });
        }}
      />
      <StrategySetting
        strategy={context.strategy}
        onChange={(strategy) => {
          change({ strategy });
        }}
      />
      <ModelSelect
        label={text('settings.summaryModel')}
        hint={text('settings.summaryModelHint')}
        without={text('settings.useDefault')}
        value={settings.summaryModel}
        onChange={(summaryModel) => {
          save((old) => ({ ...old, summaryModel }));
        }}
      />
      <Switch
        label={text('settings.nameSessions')}
        hint={text('settings.nameSessionsHint')}
        checked={settings.nameSessions}
        onChange={(nameSessions) => {
          save((old) => ({ ...old, nameSessions }));
        }}
      />
      <Disclosure label={text('settings.advanced')}>
        <ContextAdvanced settings={settings} save={save} />
      </Disclosure>
    </Stack>
  );
}
