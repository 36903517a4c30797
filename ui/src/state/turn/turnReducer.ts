/**
 * What is known of a turn while it runs, and how each thing its stream says changes that. Pure.
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
  /** Messages of this turn, newest as streamed. They give way to the stored ones when it ends. */
  live: readonly Message[];
  /**
   * The text that grows, as it arrives. Whoever shows it looks only at what is new: to look into a text that
   * is put together of many, an engine copies all of it.
   */
  streamingText: { messageId: MessageId; portions: readonly string[] } | null;
  /** The turn runs. */
  running: boolean;
  questions: readonly ApprovalRequest[];
  /** Words of running tools about their progress, by `toolCallKey`. */
  progress: Readonly<Record<string, string>>;
  /** Characters of the arguments that a model is writing, by `toolCallKey`. */
  argumentChars: Readonly<Record<string, number>>;
  waiting:
    | { type: 'none' }
    | { type: 'model' }
    | { type: 'retry'; fault: AppError; until: number; attempt: number }
    | { type: 'compaction' };
  fault: AppError | null;
  /** How hard the model was to think, and is asked to instead and why, where it has just refused that. */
  refusedEffort: {
    effort: ReasoningEffort;
    instead: ReasoningEffort;
    because: EffortReason;
  } | null;
  /** What stands in the way of the conversation and was put away: until the next turn. */
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
  refusedEffort: null,
  dismissed: [],
};

/** Appends words to the last part of that kind, or begins one. */
function appendDelta(parts: readonly ContentPart[], type: 'text' | 'reasoning', delta: string) {
  const last = parts.at(-1);
  if (last?.type === type) {
    return [...parts.slice(0, -1), { ...last, text: last.text + delta }];
  }
  const part: ContentPart =
    type === 'text' ? { type, text: delta } : { type, text: delta, signature: null };
  return [...parts, part];
}

/** What was said later than a new message's parent stands on another branch: it is shown no longer. */
const dropOtherBranches = ({ id, parentId }: Message, live: readonly Message[]) =>
  live.filter((other) => other.id <= (parentId ?? 0) || other.id > id);

/** The questions about every other call. */
export const withoutQuestion = (
  questions: readonly ApprovalRequest[],
  { messageId, callId }: Pick<ApprovalRequest, 'messageId' | 'callId'>,
) => questions.filter((it) => it.messageId !== messageId || it.callId !== callId);

/** What was waited for has come. */
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

/** What the last part of the message says and is now to say, where that is text. */
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
      // Whole, or begun: nothing of it is being written.
      return { ...state, live, streamingText: null, argumentChars: {}, waiting };
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
      // A window that was reloaded may hear of one twice.
      return {
        ...state,
        questions: [...withoutQuestion(state.questions, event.question), event.question],
      };
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
      return { ...state, live: [], streamingText: null };
  }
}
