/**
 * What the running turn waits for, and what stood in its way.
 */
import { useEffect, useEffectEvent, useState } from 'react';
import { useFormats, useText } from '../i18n';
import type { Error as Fault, SessionId } from '../ipc/bindings';
import { useAnnounce } from '../kit/Announcer';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { faultWords } from '../state/faults';
import { turns, useTurn } from '../state/turn';
import { ProviderWay } from './ProviderWay';
import { WaysOut } from './WaysOut';

type TurnNotesProps = {
  sessionId: SessionId;
  onEstimate: () => void;
  onProviders: () => void;
};

export function TurnNotes({ sessionId, onEstimate, onProviders }: TurnNotesProps) {
  const text = useText();
  const formats = useFormats();
  const waiting = useTurn(sessionId, (turn) => turn.waiting);
  const note = useTurn(sessionId, (turn) => turn.note);
  const fault = useTurn(sessionId, (turn) => turn.fault);
  const dismissing = (what: 'note' | 'fault') => (
    <Button
      kind="quiet"
      onClick={() => {
        turns.set(sessionId, { ...turns.get(sessionId), [what]: null });
      }}
    >
      {text('kit.dismiss')}
    </Button>
  );
  const noteActions = (
    <>
      <Button kind="quiet" onClick={onEstimate}>
        {text('context.estimate')}
      </Button>
      {dismissing('note')}
    </>
  );
  return (
    <div className="TurnNotes">
      {waiting.type === 'compaction' && (
        <p role="status">{text('transcript.waitingForCompaction')}</p>
      )}
      {waiting.type === 'retry' && <Countdown {...waiting} />}
      {note?.type === 'stuck' && (
        <Banner kind="warning" actions={noteActions}>
          {text('errors.stuck', {
            floor: formats.exact(note.floor),
            limit: formats.exact(note.limit),
          })}
          <WaysOut sessionId={sessionId} limit={note.limit} />
        </Banner>
      )}
      {note?.type === 'paused' && (
        <Banner kind="warning" actions={noteActions}>
          {text('transcript.paused')}
        </Banner>
      )}
      {note?.type === 'silentOverflow' && (
        <Banner kind="warning" actions={noteActions}>
          {text(note.how === 'noRoom' ? 'transcript.noRoom' : 'transcript.silentOverflow', {
            read: formats.exact(note.read),
            sent: formats.exact(note.sent),
          })}
          <WaysOut sessionId={sessionId} limit={note.read} />
        </Banner>
      )}
      {fault && (
        <Banner
          kind="danger"
          actions={
            <>
              <ProviderWay fault={fault} onProviders={onProviders} />
              {dismissing('fault')}
            </>
          }
        >
          {faultWords(text, fault)}
          {outgrown(fault) && <WaysOut sessionId={sessionId} limit={fault.limit} />}
        </Banner>
      )}
    </div>
  );
}

/** Whether something else than trying again is needed. */
const outgrown = (fault: Fault) =>
  fault.kind === 'tooLong' || fault.kind === 'messageTooLong' || fault.kind === 'stuck';

type CountdownProps = { fault: Fault; until: number; attempt: number };

/** Why a call is made again, and when; once that is, that it is under way. */
function Countdown({ fault, until, attempt }: CountdownProps) {
  const text = useText();
  const announce = useAnnounce();
  const [now, setNow] = useState(() => Date.now());
  const left = (at: number) => Math.max(0, Math.ceil((until - at) / 1000));
  const words = (at: number) => {
    const count = left(at);
    if (count === 0) return text('transcript.askingAgain', { attempt });
    const why =
      fault.kind === 'rateLimited' ? text('transcript.patience') : faultWords(text, fault);
    return text('transcript.retrying', { why, count, attempt });
  };
  const say = useEffectEvent(() => {
    announce(words(Date.now()));
  });
  // What is seen to count down is said once.
  useEffect(() => {
    say();
  }, [until, attempt]);
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
    }, 1000);
    return () => {
      clearInterval(timer);
    };
  }, []);
  return <p>{words(now)}</p>;
}
