/**
 * What a person does in a session, as calls to Rust. There a turn's promise ends with the turn; here
 * with its beginning, for that is what a box waits for before it lets go of what is written in it.
 */
import { useMemo } from 'react';
import { useBackend, type Backend } from '../../ipc';
import type { Draft, MessageId, ModelRef, SessionId, TurnEnd, TurnEvent } from '../../ipc/bindings';
import { toAppError } from '../text/errorText';
import { turnStore } from './turnStore';

/** Another turn answers it. */
const answered: TurnEnd = { type: 'answered' };

/** Calls `stored` where it knows sooner than a message is heard that nothing can be lost any more. */
type StartTurn = (channel: ReturnType<Backend['channel']>, stored: () => void) => Promise<TurnEnd>;

/**
 * Resolves once what was said is stored, long before it is answered; with `false` where it is not
 * stored, and whoever said it has to keep it.
 */
function runTurn(backend: Backend, session: SessionId, start: StartTurn): Promise<boolean> {
  const before = turnStore.get(session);
  const turn = turnStore.begin(session);
  return new Promise((settle) => {
    const stored = () => {
      settle(true);
    };
    const channel = backend.channel((event: TurnEvent) => {
      turnStore.receive(session, event);
      if (event.type === 'message') stored();
    });
    start(channel, stored).then(
      (end) => {
        turnStore.end(session, turn, end.type === 'failed' ? end.error : null);
        stored();
      },
      (thrown: unknown) => {
        const fault = toAppError(thrown);
        if (fault.kind === 'busy') turnStore.rollBack(session, turn, { ...before, fault });
        else turnStore.end(session, turn, fault);
        settle(false);
      },
    );
  });
}

export function useSessionActions(session: SessionId) {
  const backend = useBackend();
  return useMemo(() => {
    const { commands } = backend;
    /** Where another turn was quicker, what waits is sent behind that one. */
    const waiting: StartTurn = async (channel) => {
      try {
        return await commands.sendWaiting(session, channel);
      } catch (thrown) {
        if (toAppError(thrown).kind !== 'busy') throw thrown;
        return answered;
      }
    };
    /** Of a turn that runs nothing more is wanted: it is stopped, and this begins when it has ended. */
    const instead = async (start: StartTurn) => {
      await commands.stop(session);
      await commands.watch(
        session,
        backend.channel(() => undefined),
      );
      return runTurn(backend, session, start);
    };
    return {
      /** Sends a message; where a turn runs that this window has not heard of yet, it waits. */
      send: (message: Draft) =>
        runTurn(backend, session, async (channel, stored) => {
          try {
            return await commands.send(session, message, channel);
          } catch (thrown) {
            if (toAppError(thrown).kind !== 'busy') throw thrown;
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
      goOn: () => runTurn(backend, session, (channel) => commands.continueReply(session, channel)),
      /** Lets a message wait behind the running turn; where none runs any more, it is sent. */
      wait: async (message: Draft) => {
        if (!(await commands.waitBehind(session, message)))
          await runTurn(backend, session, waiting);
        return true;
      },
      sendWaiting: () => runTurn(backend, session, waiting),
      stop: () => commands.stop(session),
    };
  }, [backend, session]);
}
