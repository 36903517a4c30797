/**
 * Below the rows of the transcript: an error of the last page, the button that scrolls to the end, and the
 * state of the turn.
 */
import { useText } from '../i18n';
import type { ProviderId, SessionId, ThreadId } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import type { useTranscript } from '../state/queries/transcriptQuery';
import { RecompactionBanner } from './status/RecompactionBanner';
import { PartialLoadError } from './status/PartialLoadError';
import { TurnStatus } from './status/TurnStatus';

type TranscriptFooterProps = {
  sessionId: SessionId;
  threadId: ThreadId;
  readOnly: boolean;
  pages: ReturnType<typeof useTranscript>;
  /** Messages follow below the view. */
  hasMoreBelow: boolean;
  onEstimate: () => void;
  onProvider: (provider: ProviderId) => void;
  onEnd: () => void;
};

export function TranscriptFooter(props: TranscriptFooterProps) {
  const { sessionId, threadId, readOnly, pages, hasMoreBelow, onEnd } = props;
  const { onEstimate, onProvider } = props;
  const text = useText();
  return (
    <div className="Transcript-below">
      <PartialLoadError {...{ threadId, pages }} above={false} />
      {hasMoreBelow && (
        <Button icon="chevron-down" onClick={onEnd}>
          {text('finding.toEnd')}
        </Button>
      )}
      {!readOnly && <RecompactionBanner {...{ sessionId, threadId }} />}
      <TurnStatus {...{ sessionId, readOnly, onEstimate, onProvider }} />
    </div>
  );
}
