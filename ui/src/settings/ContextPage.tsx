/**
 * "Context management": what happens by itself as the window fills.
 */
import { useFormats, useText } from '../i18n';
import type { ModelRef, Policy } from '../ipc/bindings';
import { Disclosure } from '../kit/Disclosure';
import { Select, type Option } from '../kit/Select';
import { Slider } from '../kit/Slider';
import { Stack } from '../kit/Stack';
import { Switch } from '../kit/Switch';
import { useProviderName } from '../state/demo';
import { keyOf } from '../state/model';
import { useModels } from '../state/reading';
import { useAssumed } from './assumed';
import { ContextAdvanced } from './ContextAdvanced';
import type { PageProps } from './saving';
import { StrategySetting } from './StrategySetting';

/** FR-4.5 as ruled: [40, 60) · [60, 75) · [75, 90]. */
function leaningOf(threshold: number) {
  if (threshold < 60) return 'costFirst';
  return threshold < 75 ? 'balanced' : 'keepInformation';
}

export function ContextPage({ settings, save }: PageProps) {
  const text = useText();
  const formats = useFormats();
  const assumed = useAssumed();
  const { context } = settings;
  const side = leaningOf(context.compactionThreshold);
  const leaning = { name: text(`settings.${side}`), words: text(`settings.${side}Words`) };
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
        written={text('settings.percent', { percent: context.compactionThreshold })}
        ends={[text('settings.costFirst'), text('settings.keepInformation')]}
        hint={text('settings.leaning', {
          ...leaning,
          base: [
            text('settings.thresholdOf', { reserve: formats.exact(context.outputReserve) }),
            ...assumed,
          ].join(' '),
        })}
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
      <SummaryModel settings={settings} save={save} />
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

const byDefault = 'default';
const idOf = (ref: ModelRef | null) => (ref === null ? byDefault : keyOf(ref));

function SummaryModel({ settings, save }: PageProps) {
  const text = useText();
  const { data: models } = useModels();
  const providerName = useProviderName();
  const { summaryModel } = settings;
  const options: Option<string>[] = [
    { value: byDefault, label: text('settings.useDefault') },
    ...(models ?? []).map((view) => ({
      value: idOf(view.model),
      label: view.name,
      group: providerName(view),
    })),
  ];
  const value = idOf(summaryModel);
  if (summaryModel && !options.some((option) => option.value === value)) {
    options.push({
      value,
      label: summaryModel.model,
      ...(models && { detail: text('settings.notConfigured') }),
    });
  }
  return (
    <Select
      label={text('settings.summaryModel')}
      hint={text('settings.summaryModelHint')}
      options={options}
      value={value}
      onChange={(chosen) => {
        const model = models?.find((view) => idOf(view.model) === chosen)?.model ?? null;
        if (model === null && chosen !== byDefault) return;
        save((old) => ({ ...old, summaryModel: model }));
      }}
    />
  );
}
