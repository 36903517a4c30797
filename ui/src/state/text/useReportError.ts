/**
 * Awaits a promise and shows its error in a toast.
 */
import { useText } from '../../i18n';
import { errorText, toAppError } from './errorText';

export type ShowErrorToast = (toast: { words: string; failed: true }) => void;

export function useReportError(say: ShowErrorToast) {
  const text = useText();
  return (work: Promise<unknown>) => {
    work.catch((thrown: unknown) => {
      say({ words: errorText(text, toAppError(thrown)), failed: true });
    });
  };
}
