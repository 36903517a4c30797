/**
 * Does something and hands on, in words, why it failed.
 */
import { useText } from '../../i18n';
import { errorText, toAppError } from './errorText';

/** Shows a toast. */
export type ShowErrorToast = (toast: { words: string; failed: true }) => void;

export function useReportError(say: ShowErrorToast) {
  const text = useText();
  return (work: Promise<unknown>) => {
    work.catch((thrown: unknown) => {
      say({ words: errorText(text, toAppError(thrown)), failed: true });
    });
  };
}
