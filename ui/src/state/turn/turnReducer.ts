/**
 * The state of a running turn, and how each event of its stream changes it. Pure.
 */
import type {
  ContentPart,
  ReasoningEffort,
  EffortReason,
  Error as AppError,
  Message,
  MessageId,
  ApprovalRequest,
  TurnEvent,
} from '../../ipc/bindings';
import { toolCallKey } from './toolCallKey';

export type TurnState = {
  /** The messages of this turn, as streamed. The stored ones replace them when the turn ends. */
  live: readonly Message[];
  /**
   * The text that is streaming, in portions. Views read only the new portions: an engine copies a
   * concatenated string before it reads it.
   */
  streamingText: { messageId: MessageId; portions: readonly string[] } | null;
  running: boolean;
  questions: readonly ApprovalRequest[];
  /** Progress messages of running tools, by `toolCallKey`. */
  progress: Readonly<Record<string, string>>;
  /** Characters of the tool arguments that the model is writing, by `toolCallKey`. */
  argumentChars: Readonly<Record<string, number>>;
  waiting:
    | { type: 'none' }
    | { type: 'model' }
    | { type: 'retry'; fault: AppError; until: number; attempt: number }
    | { type: 'compaction' };
  fault: AppError | null;
  /**
   * Starts the same turn again, if its request did not leave; null: the turn changed the conversation, and
   * is continued instead.
   */
  again: (() => Promise<unknown>) | null;
  /** The reasoning effort that the model rejected, and the one that is sent instead. */
  refusedEffort: {
    effort: ReasoningEffort;
    instead: ReasoningEffort;
    because: EffortReason;
  } | null;
  /** Notices that the user dismissed, until the next turn. */
  dismissed: readonly ('waits' | 'unmentioned')[];
};

export const idleTurn: TurnState = {
  live: [],
  streamingText: null,
  running: false,
  questions: [],
  progress: {},
  argumentChars: {},
  waiting: { type: 'none' },
  fault: null,
  again: null,
  refusedEffort: null,
  dismissed: [],
};

/** Appends text to the last part of that type, or begins a part. */
function appendDelta(parts: readonly ContentPart[], type: 'text' | 'reasoning', delta: string) {
  const last = parts.at(-1);
  if (last?.type === type) {
    return [...parts.slice(0, -1), { ...last, text: last.text + delta }];
  }
  const part: ContentPart =
    type === 'text' ? { type, text: delta } : { type, text: delta, signature: null };
  return [...parts, part];
}

/** Drops the messages behind the parent of a new message: they are on another branch now, which is hidden. */
const dropOtherBranches = ({ id, parentId }: Message, live: readonly Message[]) =>
  live.filter((other) => other.id <= (parentId ?? 0) || other.id > id);

/** Without the approval request of one call. */
export const withoutQuestion = (
  questions: readonly ApprovalRequest[],
  { messageId, callId }: Pick<ApprovalRequest, 'messageId' | 'callId'>,
) => questions.filter((it) => it.messageId !== messageId || it.callId !== callId);

/** Replaces a message; the turn no longer waits. */
function updateMessage(
  state: TurnState,
  id: number,
  change: (message: Message) => Message,
): TurnState {
  return {
    ...state,
    waiting: { type: 'none' },
    streamingText: null,
    live: state.live.map((message) => (message.id === id ? change(message) : message)),
  };
}

/** The streaming text after a delta; null: the last part of the message is no text. */
function appendPortion(state: TurnState, id: number, delta: string): TurnState['streamingText'] {
  if (state.streamingText?.messageId === id)
    return { messageId: id, portions: [...state.streamingText.portions, delta] };
  const last = state.live.find((message) => message.id === id)?.parts.at(-1);
  return { messageId: id, portions: last?.type === 'text' ? [last.text, delta] : [delta] };
}

/** The state after one event. */
export function reduceTurn(state: TurnState, event: TurnEvent, now: number): TurnState {
  switch (event.type) {
    case 'message': {
      const known = state.live.some(({ id }) => id === event.message.id);
      const live = known
        ? state.live.map((old) => (old.id === event.message.id ? event.message : old))
        : [...dropOtherBranches(event.message, state.live), event.message];
      const streaming = event.message.state.type === 'streaming';
      const waiting = { type: streaming ? ('model' as const) : ('none' as const) };
      // A complete or a new message: no text of it is streaming.
      return { ...state, live, streamingText: null, argumentChars: {}, waiting, again: null };
    }
    case 'text':
    case 'reasoning': {
      const { type, messageId, delta } = event;
      const next = updateMessage(state, messageId, (message) => ({
        ...message,
        parts: appendDelta(message.parts, type, delta),
      }));
      return type === 'text'
        ? { ...next, streamingText: appendPortion(state, messageId, delta) }
        : next;
    }
    case 'toolCall':
      return updateMessage(state, event.messageId, (message) => ({
        ...message,
        parts: [...message.parts, { type: 'tool', call: event.call }],
      }));
    case 'arguments':
      return {
        ...updateMessage(state, event.messageId, (message) => message),
        argumentChars: {
          ...state.argumentChars,
          [toolCallKey(event.messageId, event.callId)]: event.chars,
        },
      };
    case 'tool': {
      const next = updateMessage(state, event.messageId, (message) => ({
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'tool' && part.call.callId === event.callId
            ? { ...part, call: { ...part.call, state: event.state } }
            : part,
        ),
      }));
      const asking = event.state.type === 'awaitingApproval';
      return {
        ...next,
        questions: asking ? next.questions : withoutQuestion(next.questions, event),
        progress:
          event.progress === null
            ? next.progress
            : { ...next.progress, [toolCallKey(event.messageId, event.callId)]: event.progress },
      };
    }
    case 'question':
      // After a reload of the webview the same request may arrive twice.
      return {
        ...state,
        questions: [...withoutQuestion(state.questions, event.question), event.question],
      };
    // The query of the health shows it: see useReceiveTurnEvent.ts.
    case 'usage':
      return state;
    case 'retrying': {
      const { error: fault, waitMs, attempt } = event;
      return { ...state, waiting: { type: 'retry', fault, until: now + waitMs, attempt } };
    }
    case 'effortRefused': {
      const { effort, instead, because } = event;
      return { ...state, refusedEffort: { effort, instead, because } };
    }
    case 'removed':
      return {
        ...state,
        live: state.live.filter(({ id }) => id !== event.messageId),
        streamingText: null,
      };
    case 'waitingForCompaction':
      return { ...state, waiting: { type: 'compaction' } };
    case 'moved':
      return { ...state, live: [], streamingText: null, again: null };
  }
}

/** The state after the end of the turn. */
export function endTurn(state: TurnState, fault: AppError | null): TurnState {
  const { live, refusedEffort, dismissed, again } = state;
  const saysFault = live.at(-1)?.state.type === 'failed';
  return { ...idleTurn, live, refusedEffort, dismissed, fault: saysFault ? null : fault, again };
}
