/**
 * The user's actions in a session, as calls to Rust. The promise of a Rust call ends with the turn; these
 * end when the message is stored: the composer waits for that before it drops its text.
 */
import { useMemo } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useBackend, type Backend, type TurnChannel } from '../../ipc';
import type {
  Draft,
  MessageId,
  ModelRef,
  SessionId,
  SessionView,
  TurnEnd,
  TurnEvent,
} from '../../ipc/bindings';
import { toAppError } from '../text/errorText';
import { queryKeys } from '../queries/queries';
import { isReplying, turnStore } from './turnStore';
import { useReceiveTurnEvent } from './useReceiveTurnEvent';

/** Another turn answers the message. */
const answered: TurnEnd = { type: 'answered' };

/** Calls `stored` if it knows before the first event that the message is stored. */
type StartTurn = (channel: TurnChannel, stored: () => void) => Promise<TurnEnd>;

type TurnRunner = {
  backend: Backend;
  session: SessionId;
  receive: (event: TurnEvent) => void;
};

/**
 * Resolves to true once the message is stored, long before the reply; to false if it was not stored and the
 * caller must keep it. `repeats`: if the request does not leave, the same turn can start again. Another turn
 * has stored its message by then, and is continued.
 */
function runTurn(runner: TurnRunner, start: StartTurn, repeats = false): Promise<boolean> {
  const { backend, session, receive } = runner;
  const before = turnStore.get(session);
  const turn = turnStore.begin(session, repeats ? () => runTurn(runner, start, true) : null);
  return new Promise((settle) => {
    const stored = () => {
      settle(true);
    };
    const channel = backend.channel((event: TurnEvent) => {
      receive(event);
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
  const client = useQueryClient();
  const receive = useReceiveTurnEvent(session);
  return useMemo(() => {
    const { commands } = backend;
    const runner = { backend, session, receive };
    /** Sends the queued messages. If another turn began first, they follow that one. */
    const waiting: StartTurn = async (channel) => {
      try {
        return await commands.sendWaiting(session, channel);
      } catch (thrown) {
        if (toAppError(thrown).kind !== 'busy') throw thrown;
        return answered;
      }
    };
    /** Stops the running turn, waits for its end and starts another one. */
    const instead = async (start: StartTurn, repeats = false) => {
      await commands.stop(session);
      await commands.watch(
        session,
        backend.channel(() => undefined),
      );
      return runTurn(runner, start, repeats);
    };
    return {
      /**
       * Sends a message, or queues it behind a running reply and the messages that are queued already. The
       * reply may be one that this webview does not know of yet.
       */
      send: async (message: Draft) => {
        const view = client.getQueryData<SessionView>(queryKeys.session(session));
        const replying = turnStore.get(session).running || (view && isReplying(view.activity));
        if (replying || view?.waiting.length) {
          if (!(await commands.waitBehind(session, message))) await runTurn(runner, waiting);
          return true;
        }
        return runTurn(runner, async (channel, stored) => {
          try {
            return await commands.send(session, message, channel);
          } catch (thrown) {
            if (toAppError(thrown).kind !== 'busy') throw thrown;
            const waits = await commands.waitBehind(session, message);
            stored();
            return waits ? answered : waiting(channel, stored);
          }
        });
      },
      resend: (edited: MessageId, message: Draft) =>
        instead((channel) => commands.resend(session, edited, message, channel)),
      /** `by`: another model for this reply only. */
      regenerate: (answer: MessageId, by: ModelRef | null = null) =>
        instead((channel) => commands.regenerate(session, answer, by, channel), true),
      goOn: () => runTurn(runner, (channel) => commands.continueReply(session, channel)),
      sendWaiting: () => runTurn(runner, waiting),
      stop: () => commands.stop(session),
    };
  }, [backend, client, session, receive]);
}
