/** Gives error boundaries the text of an error, and lets them repeat failed queries. */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useText } from '../i18n';
import { ErrorContext } from '../kit/display/errorContext';
import { errorText, isAppError } from '../state/text/errorText';
import { resetFailedQueries } from '../state/queries/queries';

export function ErrorContextProvider({ children }: { children: ReactNode }) {
  const text = useText();
  const client = useQueryClient();
  const caught = useMemo(
    () => ({
      words: (thrown: unknown) => (isAppError(thrown) ? errorText(text, thrown) : null),
      forget: () => {
        resetFailedQueries(client);
      },
    }),
    [text, client],
  );
  return <ErrorContext value={caught}>{children}</ErrorContext>;
}
