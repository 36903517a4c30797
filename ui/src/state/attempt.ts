/**
 * Does something and hands on, in words, why it failed.
 */
import { useText } from '../i18n';
import { asFault } from './actions';
import { faultWords } from './faults';

/** Shows a toast. */
export type Say = (toast: { words: string; failed: true }) => void;

export function useAttempting(say: Say) {
  const text = useText();
  return (work: Promise<unknown>) => {
    work.catch((thrown: unknown) => {
      say({ words: faultWords(text, asFault(thrown)), failed: true });
    });
  };
}
