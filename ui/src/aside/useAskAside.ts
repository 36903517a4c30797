/**
 * Asks side questions: the words are shown as they arrive.
 */
import { useCallback } from 'react';
import { useBackend, type Backend } from '../ipc';
import type { SessionId } from '../ipc/bindings';
import { toAppError } from '../state/text/errorText';
import { changeAside, getAside, openAside, sideRounds, type AsideRound } from './asideStore';

const joinTexts = (...texts: string[]) => texts.filter(Boolean).join('\n\n');

/** Asks behind the questions that the panel holds. Does nothing while another is answered. */
async function ask({ commands, channel }: Backend, session: SessionId, question: string) {
  const aside = getAside(session);
  if (!aside || aside.pending) return;
  const answered = (round: AsideRound) => {
    changeAside(session, ({ rounds }) => ({ rounds: [...rounds, round], pending: null }));
  };
  changeAside(session, () => ({ pending: { question, arrived: '' }, error: null }));
  const arriving = channel((delta: string) => {
    changeAside(session, ({ pending }) => ({
      pending: pending && { ...pending, arrived: pending.arrived + delta },
    }));
  });
  try {
    const call = await commands.askSideQuestion(session, sideRounds(aside), question, arriving);
    answered({ question, words: call.text, call });
  } catch (thrown) {
    const error = toAppError(thrown);
    const words = getAside(session)?.pending?.arrived ?? '';
    if (error.kind === 'notCompacted' && words !== '') {
      answered({ question, words, call: null });
    } else {
      const isStopped = error.kind === 'notCompacted';
      changeAside(session, ({ draft }) => ({
        pending: null,
        error: isStopped ? null : error,
        draft: joinTexts(question, draft),
      }));
    }
  }
}

export function useAskAside(session: SessionId): (question: string) => void {
  const backend = useBackend();
  return useCallback((question) => void ask(backend, session, question), [backend, session]);
}

/**
 * Opens the panel of a session, and asks a question where there is one. While another is answered, the
 * question goes into the field.
 */
export function useOpenAside(session: SessionId): (question: string | null) => void {
  const askAside = useAskAside(session);
  return (question) => {
    openAside(session);
    if (question === null) return;
    if (getAside(session)?.pending) {
      changeAside(session, ({ draft }) => ({ draft: joinTexts(draft, question) }));
    } else askAside(question);
  };
}
