/**
 * The writer of the summaries of a model's conversations, where its provider has a compaction of its own.
 */
import { useText } from '../../../i18n';
import type { ProviderCompactionState, SummaryWriter } from '../../../ipc/bindings';
import { Select } from '../../../kit/fields/Select';

const writers = ['skein', 'provider'] as const satisfies readonly SummaryWriter[];

const hints = {
  available: 'settings.summaryWriterHint',
  availableEncrypted: 'settings.summaryWriterEncrypted',
  refused: 'settings.summaryWriterRefused',
} as const satisfies Record<ProviderCompactionState, string>;

type SummaryWriterSelectProps = {
  value: SummaryWriter;
  state: ProviderCompactionState;
  /** The user's name for the provider. */
  provider: string;
  onChange: (writer: SummaryWriter) => void;
};

export function SummaryWriterSelect({
  value,
  state,
  provider,
  onChange,
}: SummaryWriterSelectProps) {
  const text = useText();
  return (
    <Select
      label={text('settings.summaryWriter')}
      hint={text(hints[state], { provider })}
      options={writers.map((writer) => ({
        value: writer,
        label: text(`settings.summaryWriter_${writer}`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
