/**
 * Does something and hands on, in words, why it failed.
 */
import { useText } from '../i18n';
import { asFault } from './actions';
import { faultWords } from './faults';

export function useAttempting(say: (toast: { words: string; failed: true }) => void) {
  const text = useText();
  return (work: Promise<unknown>) => {
    work.catch((thrown: unknown) => {
      say({ words: faultWords(text, asFault(thrown)), failed: true });
    });
  };
}
