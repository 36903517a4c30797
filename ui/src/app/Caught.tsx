/**
 * Tells what breaks what it broke on: an error of Rust has words, and what could not be read is asked for
 * again.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { useText } from '../i18n';
import { CaughtContext } from '../kit/caught';
import { faultWords, isFault } from '../state/faults';
import { forgetUnread } from '../state/reading';

export function Caught({ children }: { children: ReactNode }) {
  const text = useText();
  const client = useQueryClient();
  const caught = useMemo(
    () => ({
      words: (thrown: unknown) => (isFault(thrown) ? faultWords(text, thrown) : null),
      forget: () => {
        forgetUnread(client);
      },
    }),
    [text, client],
  );
  return <CaughtContext value={caught}>{children}</CaughtContext>;
}
