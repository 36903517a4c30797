/**
 * "Summarise from here" and "Summarise up to here": the preview of a compaction of chosen messages.
 */
import { useQuery } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ChosenRange, SessionId, ThreadId } from '../../ipc/bindings';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { Dialog } from '../../kit/overlays/Dialog';
import { errorText, toAppError } from '../../state/text/errorText';
import { optional, queryKeys } from '../../state/queries/queries';
import { CompactionForm } from './CompactionForm';

type SummariseRangeDialogProps = {
  sessionId: SessionId;
  threadId: ThreadId;
  range: ChosenRange;
  onClose: () => void;
};

export function SummariseRangeDialog(props: SummariseRangeDialogProps) {
  const { range, onClose } = props;
  const text = useText();
  const title = text(`transcript.range_${range.type}`);
  return (
    <Dialog title={title} onClose={onClose} size="wide">
      <p className="Compactions-quiet">{text(`compaction.${range.type}Hint`)}</p>
      <ErrorBoundary holds={title}>
        <RangePreview {...props} />
      </ErrorBoundary>
    </Dialog>
  );
}

function RangePreview({ sessionId, threadId, range, onClose }: SummariseRangeDialogProps) {
  const text = useText();
  const { commands } = useBackend();
  const { data: preview, error } = useQuery({
    ...optional,
    queryKey: [...queryKeys.context(sessionId), 'range', range],
    queryFn: () => commands.previewCompaction(sessionId, range),
    placeholderData: (previous) => previous,
    retry: false,
    gcTime: 0,
  });
  if (error) return <p role="alert">{errorText(text, toAppError(error))}</p>;
  if (!preview) return <p>{text('kit.loading')}</p>;
  const label = text(`transcript.range_${range.type}`);
  return <CompactionForm {...{ sessionId, threadId, preview, range, label, onClose }} />;
}
