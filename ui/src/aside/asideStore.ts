/**
 * The side questions of each session: open or closed, what was asked and answered, and what is being
 * answered. They are in memory alone: a closed panel is forgotten.
 */
import type { Error as AppError, SessionId, SideAnswer, SideRound } from '../ipc/bindings';

import { createStore, useStore } from '../kit/hooks/createStore';

/** The number of a question; unique since the window opened. */
type AskId = number;

let lastAsk: AskId = 0;

/** A question with the words of its answer. `call`: what is known of the call; null: it was stopped. */
export type AsideRound = { question: string; words: string; call: SideAnswer | null };

export type Aside = {
  rounds: readonly AsideRound[];
  /** The question that is being answered, and the words that have arrived; null: none is. */
  pending: { id: AskId; question: string; arrived: string } | null;
  /** Why the last question was not answered. */
  error: AppError | null;
  /** The text in the field. */
  draft: string;
  /** The user is asked whether the panel may be forgotten. */
  isClosing: boolean;
  /** The rounds are being put into the conversation. */
  isKeeping: boolean;
};

const emptyAside: Aside = {
  rounds: [],
  pending: null,
  error: null,
  draft: '',
  isClosing: false,
  isKeeping: false,
};

const asides = createStore<ReadonlyMap<SessionId, Aside>>(new Map());

/** The side questions of a session; undefined: the panel is closed. */
export const useAside = (session: SessionId | null): Aside | undefined =>
  useStore(asides, (all) => (session === null ? undefined : all.get(session)));

export const getAside = (session: SessionId): Aside | undefined => asides.get().get(session);

/** Opens the panel of a session, if it is closed. */
export function openAside(session: SessionId) {
  if (!getAside(session)) asides.set(new Map([...asides.get(), [session, emptyAside]]));
}

/** Closes the panel of a session and forgets what it holds. */
export function forgetAside(session: SessionId) {
  asides.set(new Map([...asides.get()].filter(([other]) => other !== session)));
}

/** Changes what the panel holds. Does nothing once it is closed. */
export function changeAside(session: SessionId, change: (aside: Aside) => Partial<Aside>) {
  const aside = getAside(session);
  if (aside) asides.set(new Map([...asides.get(), [session, { ...aside, ...change(aside) }]]));
}

/** Begins a question, and returns its number. */
export function beginAsk(session: SessionId, question: string): AskId {
  lastAsk += 1;
  const id = lastAsk;
  changeAside(session, () => ({ pending: { id, question, arrived: '' }, error: null }));
  return id;
}

/** Changes the panel in which this question is pending. A panel opened since then stays as it is. */
export function changeAsking(
  session: SessionId,
  id: AskId,
  change: (aside: Aside, pending: NonNullable<Aside['pending']>) => Partial<Aside>,
) {
  changeAside(session, (aside) => (aside.pending?.id === id ? change(aside, aside.pending) : {}));
}

/** Closes the panel at once if it holds no text; else the user is asked. */
export function closeAside(session: SessionId) {
  const aside = getAside(session);
  if (!aside) return;
  const isEmpty = aside.rounds.length === 0 && !aside.pending && aside.draft.trim() === '';
  if (isEmpty) forgetAside(session);
  else changeAside(session, () => ({ isClosing: true }));
}

/** False while a question is answered or the rounds are being kept. */
export const isIdle = ({ pending, isKeeping }: Aside): boolean => pending === null && !isKeeping;

/** The text in the field can be asked. */
export const canAsk = (aside: Aside): boolean => isIdle(aside) && aside.draft.trim() !== '';

/** The rounds as Rust takes them, without those that have no words: providers refuse an empty message. */
export const sideRounds = (aside: Aside): SideRound[] =>
  aside.rounds
    .filter(({ words }) => words !== '')
    .map(({ question, words, call }) => ({
      question,
      answer: words,
      model: call?.model ?? null,
      ending: call?.ending ?? { type: 'interrupted' },
    }));
