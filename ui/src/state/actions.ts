/**
 * What a person does in a session, as calls to Rust. A turn's promise ends with the turn.
 */
import { useMemo } from 'react';
import { useBackend, type Backend } from '../ipc';
import type {
  ContentPart,
  Error as Fault,
  MessageId,
  SessionId,
  TurnEnd,
  TurnEvent,
} from '../ipc/bindings';
import { turns } from './turn';

type Run = (channel: ReturnType<Backend['channel']>) => Promise<TurnEnd>;

/** Whatever was thrown, as Rust's tagged error. */
export function asFault(thrown: unknown): Fault {
  if (typeof thrown === 'object' && thrown !== null && 'kind' in thrown) return thrown as Fault;
  return { kind: 'storage', detail: String(thrown) };
}

async function run(backend: Backend, session: SessionId, start: Run) {
  const turn = turns.begin(session);
  const channel = backend.channel((event: TurnEvent) => {
    turns.hear(session, event);
  });
  try {
    await start(channel);
    turns.end(session, turn, null);
  } catch (thrown) {
    turns.end(session, turn, asFault(thrown));
  }
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
        return 'answered';
      }
    };
    return {
      /** Sends a message; where a turn runs that this window has not heard of yet, it waits. */
      send: (parts: ContentPart[]) =>
        run(backend, session, async (channel) => {
          try {
            return await commands.send(session, { parts }, channel);
          } catch (thrown) {
            if (asFault(thrown).kind !== 'busy') throw thrown;
            const waits = await commands.waitBehind(session, { parts });
            return waits ? 'answered' : waiting(channel);
          }
        }),
      resend: (edited: MessageId, parts: ContentPart[]) =>
        run(backend, session, (channel) => commands.resend(session, edited, { parts }, channel)),
      regenerate: (answer: MessageId) =>
        run(backend, session, (channel) => commands.regenerate(session, answer, channel)),
      goOn: () => run(backend, session, (channel) => commands.continueReply(session, channel)),
      /** Lets a message wait behind the running turn; where none runs any more, it is sent. */
      wait: async (parts: ContentPart[]) => {
        if (await commands.waitBehind(session, { parts })) return;
        await run(backend, session, waiting);
      },
      sendWaiting: () => run(backend, session, waiting),
      stop: () => commands.stop(session),
    };
  }, [backend, session]);
}
