/**
 * What is known of whatever a part of the window broke on: the kit knows neither errors of the program nor
 * how it reads.
 */
import { createContext } from 'react';

export type ErrorPresenter = {
  /** What it broke on, in words for the person; null: for those who mend Skein. */
  words: (thrown: unknown) => string | null;
  /** What it broke on is to be read again by whoever shows it next. */
  forget: () => void;
};

export const ErrorContext = createContext<ErrorPresenter>({
  words: () => null,
  forget: () => undefined,
});
