/**
 * The state of the turn below the transcript: what it waits for, the error that ended it, and what the
 * server did not report.
 */
import { useEffect, useEffectEvent } from 'react';
import { useText, type Translate } from '../../i18n';
import type { Error as AppError, ProviderId, SessionId } from '../../ipc/bindings';
import { useAnnounce } from '../../kit/notifications/LiveRegion';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useNow } from '../../kit/hooks/useNow';
import { errorText } from '../../state/text/errorText';
import type { TurnState } from '../../state/turn/turnReducer';
import { useOnline } from '../../state/hooks/useOnline';
import { useHealth } from '../../state/queries/queries';
import { turnStore, useTurn } from '../../state/turn/turnStore';
import { useSessionActions } from '../../state/turn/useSessionActions';
import { BudgetQuestion } from '../../budgets/BudgetQuestion';
import { FixProviderLink } from './FixProviderLink';
import { OverflowActions } from './OverflowActions';

type TurnStatusProps = {
  sessionId: SessionId;
  /**
   * An archived thread is shown: notices about the turns of the current one, and their actions, do not
   * belong here.
   */
  readOnly: boolean;
  onEstimate: () => void;
  onProvider: (provider: ProviderId) => void;
};

export function TurnStatus({ readOnly, ...props }: TurnStatusProps) {
  return readOnly ? null : <TurnStatusBanners {...props} />;
}

type RefusedEffort = NonNullable<TurnState['refusedEffort']>;

function TurnStatusBanners({
  sessionId,
  onEstimate,
  onProvider,
}: Omit<TurnStatusProps, 'readOnly'>) {
  const text = useText();
  const waiting = useTurn(sessionId, (turn) => turn.waiting);
  const fault = useTurn(sessionId, (turn) => turn.fault);
  const refused = useTurn(sessionId, (turn) => turn.refusedEffort);
  const { goOn } = useSessionActions(sessionId);
  const dismiss = (what: 'fault' | 'refusedEffort') => {
    turnStore.set(sessionId, { ...turnStore.get(sessionId), [what]: null });
  };
  const dismissing = (what: 'fault' | 'refusedEffort') => (
    <Button
      kind="quiet"
      onClick={() => {
        dismiss(what);
      }}
    >
      {text('kit.dismiss')}
    </Button>
  );
  return (
    <div className="TurnNotes">
      {waiting.type === 'compaction' && (
        <p role="status">{text('transcript.waitingForCompaction')}</p>
      )}
      {waiting.type === 'retry' && <RetryCountdown {...waiting} />}
      <SilentTruncationBanner {...{ sessionId, onEstimate }} />
      {refused && (
        <Banner kind="warning" actions={dismissing('refusedEffort')}>
          {refusedEffortText(text, refused)}
        </Banner>
      )}
      {fault?.kind === 'overBudget' && (
        <BudgetQuestion
          {...{ sessionId }}
          stop={fault.stop}
          onAllowed={() => (turnStore.get(sessionId).again ?? goOn)()}
          onDismiss={() => {
            dismiss('fault');
          }}
        />
      )}
      {fault && fault.kind !== 'overBudget' && (
        <Banner
          kind="danger"
          actions={
            <>
              <FixProviderLink {...{ fault, sessionId, onProvider }} />
              {dismissing('fault')}
            </>
          }
        >
          {errorText(text, fault)}
          {isContextOverflow(fault) && (
            <OverflowActions
              sessionId={sessionId}
              limit={fault.limit}
              onEstimate={fault.kind === 'tooLong' ? undefined : onEstimate}
            />
          )}
        </Banner>
      )}
    </div>
  );
}

/** If tools fill the context, another model does not help: the text suggests other actions. */
function refusedEffortText(text: Translate, { effort, instead, because }: RefusedEffort): string {
  if (because === 'tools') return text('transcript.effortBesideTools');
  return text('transcript.effortRefused', {
    effort: text(`composer.effort_${effort}`),
    instead: text(`composer.effort_${instead}`),
  });
}

/** True if an error needs more than a retry. */
const isContextOverflow = (fault: AppError) =>
  fault.kind === 'tooLong' || fault.kind === 'messageTooLong' || fault.kind === 'stuck';

const truncationKeys = {
  aboveWindow: 'transcript.aboveWindow',
  noRoom: 'transcript.noRoom',
  truncated: 'transcript.silentOverflow',
  farBelow: 'transcript.silentOverflow',
  inPart: 'transcript.silentOverflow',
} as const;

type SilentTruncationBannerProps = Pick<TurnStatusProps, 'sessionId' | 'onEstimate'>;

/** The server reported less than was sent. The notice belongs to the newest reply. */
function SilentTruncationBanner({ sessionId, onEstimate }: SilentTruncationBannerProps) {
  const text = useText();
  const { data: health } = useHealth(sessionId);
  const hidden = useTurn(
    sessionId,
    ({ running, dismissed: putAway }) => running || putAway.includes('unmentioned'),
  );
  const unmentioned = health?.unmentioned ?? null;
  if (!unmentioned || hidden) return null;
  const { how, read, sent } = unmentioned;
  return (
    <Banner
      kind="warning"
      actions={
        <>
          <Button kind="quiet" onClick={onEstimate}>
            {text('context.estimate')}
          </Button>
          <Button
            kind="quiet"
            onClick={() => {
              turnStore.dismiss(sessionId, 'unmentioned');
            }}
          >
            {text('kit.dismiss')}
          </Button>
        </>
      }
    >
      {text(truncationKeys[how], { read, sent })}
      {how !== 'aboveWindow' && <OverflowActions sessionId={sessionId} limit={read} />}
    </Banner>
  );
}

type RetryCountdownProps = { fault: AppError; until: number; attempt: number };

/** The countdown to a retry and its reason; then, that it runs. */
function RetryCountdown({ fault, until, attempt }: RetryCountdownProps) {
  const text = useText();
  const announce = useAnnounce();
  const now = useNow();
  const online = useOnline();
  const left = (at: number) => Math.max(0, Math.ceil((until - at) / 1000));
  const words = (at: number) => {
    const count = left(at);
    if (count === 0) return text('transcript.askingAgain', { attempt });
    return text('transcript.retrying', {
      why: retryReasonText(text, fault, online),
      count,
      attempt,
    });
  };
  const say = useEffectEvent(() => {
    announce(words(Date.now()));
  });
  // Only the first text of the countdown is announced.
  useEffect(() => {
    say();
  }, [until, attempt]);
  return <p>{words(now)}</p>;
}

function retryReasonText(text: Translate, fault: AppError, online: boolean): string {
  if (fault.kind === 'rateLimited') return text('transcript.patience');
  if (fault.kind === 'unreachable' && !online) return text('providers.offline');
  return errorText(text, fault);
}
