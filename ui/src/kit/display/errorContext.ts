/**
 * The application's part of an ErrorBoundary: the kit knows neither the errors of Skein nor their texts.
 */
import { createContext } from 'react';

export type ErrorPresenter = {
  /** The text for the user; null: a bug in Skein. */
  words: (thrown: unknown) => string | null;
  /** Resets the failed queries, so that the next view reads them again. */
  forget: () => void;
};

export const ErrorContext = createContext<ErrorPresenter>({
  words: () => null,
  forget: () => undefined,
});
