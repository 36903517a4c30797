/**
 * What a person does in a session, as calls to Rust. There a turn's promise ends with the turn; here
 * with its beginning, for that is what a box waits for before it lets go of what is written in it.
 */
import { useMemo } from 'react';
import { useBackend, type Backend } from '../ipc';
import type {
  Draft,
  Error as Fault,
  MessageId,
  ModelRef,
  SessionId,
  TurnEnd,
  TurnEvent,
} from '../ipc/bindings';
import { turns } from './turn';

/** Another turn answers it. */
const answered: TurnEnd = { type: 'answered' };

/** Calls `stored` where it knows sooner than a message is heard that nothing can be lost any more. */
type Run = (channel: ReturnType<Backend['channel']>, stored: () => void) => Promise<TurnEnd>;

/** Whatever was thrown, as Rust's tagged error. */
export function asFault(thrown: unknown): Fault {
  if (typeof thrown === 'object' && thrown !== null && 'kind' in thrown) return thrown as Fault;
  return { kind: 'storage', detail: String(thrown) };
}

/**
 * Resolves once what was said is stored, long before it is answered; with `false` where it is not
 * stored, and whoever said it has to keep it.
 */
function run(backend: Backend, session: SessionId, start: Run): Promise<boolean> {
  const before = turns.get(session);
  const turn = turns.begin(session);
  return new Promise((settle) => {
    const stored = () => {
      settle(true);
    };
    const channel = backend.channel((event: TurnEvent) => {
      turns.hear(session, event);
      if (event.type === 'message') stored();
    });
    start(channel, stored).then(
      (end) => {
        turns.end(session, turn, end.type === 'failed' ? end.error : null);
        stored();
      },
      (thrown: unknown) => {
        const fault = asFault(thrown);
        if (fault.kind === 'busy') turns.withdraw(session, turn, { ...before, fault });
        else turns.end(session, turn, fault);
        settle(false);
      },
    );
  });
}

export function useActions(session: SessionId) {
  const backend = useBackend();
  return useMemo(() => {
    const { commands } = backend;
    /** Where another turn was quicker, what waits is sent behind that one. */
    const waiting: Run = async (channel) => {
      try {
        return await commands.sendWaiting(session, channel);
      } catch (thrown) {
        if (asFault(thrown).kind !== 'busy') throw thrown;
        return answered;
      }
    };
    /** Of a turn that runs nothing more is wanted: it is stopped, and this begins when it has ended. */
    const instead = async (start: Run) => {
      await commands.stop(session);
      await commands.watch(
        session,
        backend.channel(() => undefined),
      );
      return run(backend, session, start);
    };
    return {
      /** Sends a message; where a turn runs that this window has not heard of yet, it waits. */
      send: (message: Draft) =>
        run(backend, session, async (channel, stored) => {
          try {
            return await commands.send(session, message, channel);
          } catch (thrown) {
            if (asFault(thrown).kind !== 'busy') throw thrown;
            const waits = await commands.waitBehind(session, message);
            stored();
            return waits ? answered : waiting(channel, stored);
          }
        }),
      resend: (edited: MessageId, message: Draft) =>
        instead((channel) => commands.resend(session, edited, message, channel)),
      /** By the session's model, or by another one this once. */
      regenerate: (answer: MessageId, by: ModelRef | null = null) =>
        instead((channel) => commands.regenerate(session, answer, by, channel)),
      goOn: () => run(backend, session, (channel) => commands.continueReply(session, channel)),
      /** Lets a message wait behind the running turn; where none runs any more, it is sent. */
      wait: async (message: Draft) => {
        if (!(await commands.waitBehind(session, message))) await run(backend, session, waiting);
        return true;
      },
      sendWaiting: () => run(backend, session, waiting),
      stop: () => commands.stop(session),
    };
  }, [backend, session]);
}
