/**
 * Asks side questions: the words are shown as they arrive.
 */
import { useCallback } from 'react';
import { useBackend, type Backend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { toAppError } from '../state/text/errorText';
import {
  beginAsk,
  canAsk,
  changeAside,
  changeAsking,
  getAside,
  openAside,
  sideRounds,
  type Aside,
  type AsideKey,
  type AsideRound,
} from './asideStore';

const joinTexts = (...texts: string[]) => texts.filter(Boolean).join('\n\n');

/**
 * Asks behind the questions that the panel holds. Does nothing while another is answered. Each quick question
 * is asked from a session that is unused at that moment: the one of the last question may be in use by now.
 */
async function ask({ commands, channel }: Backend, key: AsideKey, question: string) {
  const aside = getAside(key);
  if (!aside || aside.pending) return;
  const id = beginAsk(key, question);
  const answered = (aside: Aside, round: AsideRound) => ({
    rounds: [...aside.rounds, round],
    pending: null,
  });
  const arriving = channel((delta: string) => {
    changeAsking(key, id, (_, pending) => ({
      pending: { ...pending, arrived: pending.arrived + delta },
    }));
  });
  try {
    const session = key === 'quick' ? await commands.unusedSession() : key;
    changeAsking(key, id, () => ({ session }));
    const call = await commands.askSideQuestion(session, sideRounds(aside), question, arriving);
    changeAsking(key, id, (aside) => answered(aside, { question, words: call.text, call }));
  } catch (thrown) {
    const error = toAppError(thrown);
    const isStopped = error.kind === 'notCompacted';
    changeAsking(key, id, (aside, { arrived: words }) =>
      isStopped && words !== ''
        ? answered(aside, { question, words, call: null })
        : {
            pending: null,
            error: isStopped ? null : error,
            draft: joinTexts(question, aside.draft),
          },
    );
  }
}

/** Asks the text in the field, and empties it. Resolves once the question is answered or has failed. */
export function useAskDraft(key: AsideKey): () => Promise<void> {
  const backend = useBackend();
  return useCallback(async () => {
    const aside = getAside(key);
    if (!aside || !canAsk(aside)) return;
    changeAside(key, () => ({ draft: '' }));
    await ask(backend, key, aside.draft.trim());
  }, [backend, key]);
}

/**
 * Opens the panel of a session, and asks a question where there is one. While another is answered, the
 * question goes into the field.
 */
export function useOpenAside(session: SessionId): (question: string | null) => void {
  const backend = useBackend();
  return (question) => {
    openAside(session);
    if (question === null) return;
    if (getAside(session)?.pending) {
      changeAside(session, ({ draft }) => ({ draft: joinTexts(draft, question) }));
    } else void ask(backend, session, question);
  };
}
