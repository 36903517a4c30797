/**
 * What becomes of the context, said above the conversation: that it is being compacted, with the summary as
 * it arrives, why it was not, and what it waits for the person with.
 */
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { CompactionProgress, SessionId, Waits } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { faultWords } from '../state/faults';
import { useCompaction, useHealth } from '../state/reading';
import { useCompactionFault, useDismissedCompaction } from '../state/standing';
import { turns, useTurn } from '../state/turn';
import { useAnnouncedCompaction } from './announcing';
import { SummaryArriving } from './SummaryArriving';
import { WaysOut } from './WaysOut';
import './Transcript.css';
import './CompactionBar.css';

type CompactionBarProps = {
  sessionId: SessionId;
  /** Another thread than the current one is shown: only what goes on is said, not what that waits with. */
  readOnly: boolean;
  onEstimate: () => void;
};

export function CompactionBar({ sessionId, readOnly, onEstimate }: CompactionBarProps) {
  const { data: status } = useCompaction(sessionId);
  useAnnouncedCompaction(sessionId, status);
  if (status?.type === 'running') return <Running {...{ sessionId }} {...status} />;
  return readOnly ? null : <InTheWay {...{ sessionId, onEstimate }} />;
}

type InTheWayProps = Omit<CompactionBarProps, 'readOnly'>;

function InTheWay({ sessionId, onEstimate }: InTheWayProps) {
  const text = useText();
  const { data: health } = useHealth(sessionId);
  const isAway = useTurn(sessionId, ({ putAway }) => putAway.includes('waits'));
  const fault = useCompactionFault(sessionId);
  const dismiss = useDismissedCompaction(sessionId);
  const putAway = (
    <Button
      kind="quiet"
      onClick={() => {
        dismiss();
        turns.putAway(sessionId, 'waits');
      }}
    >
      {text('kit.dismiss')}
    </Button>
  );
  const waits = health?.waits ?? null;
  if (waits && !isAway) {
    const stuck = waits.type !== 'paused';
    const actions = (
      <>
        {!stuck && (
          <Button kind="quiet" onClick={onEstimate}>
            {text('context.estimate')}
          </Button>
        )}
        {putAway}
      </>
    );
    return (
      <Banner kind="warning" actions={actions}>
        <Why waits={waits} />
        <WaysOut
          sessionId={sessionId}
          limit={waits.limit}
          onEstimate={stuck ? onEstimate : undefined}
        />
      </Banner>
    );
  }
  return (
    fault && (
      <Banner kind="warning" actions={putAway}>
        {faultWords(text, fault)}
      </Banner>
    )
  );
}

function Why({ waits }: { waits: Waits }) {
  const text = useText();
  switch (waits.type) {
    case 'stuck':
      return text('errors.stuck', waits);
    case 'tight':
      return text('transcript.tight', waits);
    case 'paused':
      return text('transcript.paused', { ...waits, reason: text(`errors.${waits.reason}`) });
  }
}

type RunningProps = { sessionId: SessionId; progress: CompactionProgress };

function Running({ sessionId, progress }: RunningProps) {
  const text = useText();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  return (
    <div className="CompactionBar">
      <div className="CompactionBar-line">
        <span role="status" aria-label={text('transcript.optimising')}>
          <span>{text('transcript.optimising')}</span>
          {progress.pieces > 1 && <span>{`${progress.piece} / ${progress.pieces}`}</span>}
        </span>
        <Button
          kind="quiet"
          onClick={() => {
            attempt(commands.cancelCompaction(sessionId));
          }}
        >
          {text('kit.cancel')}
        </Button>
      </div>
      {progress.text !== '' && <SummaryArriving words={progress.text} />}
    </div>
  );
}
