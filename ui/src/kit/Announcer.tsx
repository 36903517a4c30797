/**
 * Says a sentence to those who listen, once. What is also shown on screen as it happens (a banner,
 * a toast) speaks for itself and does not belong here.
 */
import { createContext, use, useCallback, useState, type ReactNode } from 'react';
import { VisuallyHidden } from './VisuallyHidden';

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ sentence: '', times: 0 });
  const announce = useCallback((sentence: string) => {
    setSaid(({ times }) => ({ sentence, times: times + 1 }));
  }, []);
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden>
        {/* A new element each time: the same sentence twice is still read twice. */}
        <span aria-live="polite">
          <span key={said.times}>{said.sentence}</span>
        </span>
      </VisuallyHidden>
    </AnnounceContext>
  );
}

export const useAnnounce = () => use(AnnounceContext);
