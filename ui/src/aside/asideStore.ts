/**
 * The side questions of each session, and those of the window for quick questions: open or closed, what was
 * asked and answered, and what is being answered. They are in memory alone: a closed panel is forgotten.
 */
import type { Error as AppError, SessionId, SideAnswer, SideRound } from '../ipc/bindings';

import { createStore, useStore } from '../kit/hooks/createStore';

/** The panel of a session, or the window for quick questions, which belongs to no session. */
export type AsideKey = SessionId | 'quick';

/** The number of a question; unique since the window opened. */
type AskId = number;

let lastAsk: AskId = 0;

/** A question with the words of its answer. `call`: what is known of the call; null: it was stopped. */
export type AsideRound = { question: string; words: string; call: SideAnswer | null };

export type Aside = {
  /** The session from whose context the last question was asked; null: none was asked yet. */
  session: SessionId | null;
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
  session: null,
  rounds: [],
  pending: null,
  error: null,
  draft: '',
  isClosing: false,
  isKeeping: false,
};

const asides = createStore<ReadonlyMap<AsideKey, Aside>>(new Map());

/** The side questions of a panel; undefined: it is closed. */
export const useAside = (key: AsideKey | null): Aside | undefined =>
  useStore(asides, (all) => (key === null ? undefined : all.get(key)));

export const getAside = (key: AsideKey): Aside | undefined => asides.get().get(key);

/** Opens a panel, if it is closed. */
export function openAside(key: AsideKey) {
  if (!getAside(key)) asides.set(new Map([...asides.get(), [key, emptyAside]]));
}

/** Closes a panel and forgets what it holds. */
export function forgetAside(key: AsideKey) {
  asides.set(new Map([...asides.get()].filter(([other]) => other !== key)));
}

/** Changes what the panel holds. Does nothing once it is closed. */
export function changeAside(key: AsideKey, change: (aside: Aside) => Partial<Aside>) {
  const aside = getAside(key);
  if (aside) asides.set(new Map([...asides.get(), [key, { ...aside, ...change(aside) }]]));
}

/** Begins a question, and returns its number. */
export function beginAsk(key: AsideKey, question: string): AskId {
  lastAsk += 1;
  const id = lastAsk;
  changeAside(key, () => ({ pending: { id, question, arrived: '' }, error: null }));
  return id;
}

/** Changes the panel in which this question is pending. A panel opened since then stays as it is. */
export function changeAsking(
  key: AsideKey,
  id: AskId,
  change: (aside: Aside, pending: NonNullable<Aside['pending']>) => Partial<Aside>,
) {
  changeAside(key, (aside) => (aside.pending?.id === id ? change(aside, aside.pending) : {}));
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
