/**
 * The writer of the summaries of a model's conversations, where its provider has a compaction of its own.
 */
import { useText } from '../../../i18n';
import type { ProviderCompactionState, SummaryWriter } from '../../../ipc/bindings';
import { Select } from '../../../kit/fields/Select';

const writers = ['skein', 'provider'] as const satisfies readonly SummaryWriter[];

type SummaryWriterSelectProps = {
  value: SummaryWriter;
  state: ProviderCompactionState;
  onChange: (writer: SummaryWriter) => void;
};

export function SummaryWriterSelect({ value, state, onChange }: SummaryWriterSelectProps) {
  const text = useText();
  return (
    <Select
      label={text('settings.summaryWriter')}
      hint={text(
        state === 'refused' ? 'settings.summaryWriterRefused' : 'settings.summaryWriterHint',
      )}
      options={writers.map((writer) => ({
        value: writer,
        label: text(`settings.summaryWriter_${writer}`),
      }))}
      value={value}
      onChange={onChange}
    />
  );
}
