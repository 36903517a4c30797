/**
 * Says a sentence to those who listen, once. What is also shown on screen as it happens (a banner,
 * a toast) speaks for itself and does not belong here.
 *
 * A long text is handed over a piece at a time, so that the window does not stop for it.
 */
import { createContext, use, useCallback, useEffect, useState, type ReactNode } from 'react';
import { pieces } from './pieces';
import { VisuallyHidden } from './VisuallyHidden';

/** Characters handed over at once. */
const PIECE = 2_000;
/** Milliseconds between two of them. */
const PAUSE = 50;

const AnnounceContext = createContext<(sentence: string) => void>(() => undefined);

export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ pieces: [''], count: 1, times: 0 });
  const announce = useCallback((sentence: string) => {
    setSaid((before) => ({
      // What has not been handed over yet is not lost for what comes after it.
      pieces: [...before.pieces.slice(before.count), ...pieces(sentence, PIECE)],
      count: 1,
      times: before.times + 1,
    }));
  }, []);
  useEffect(() => {
    if (said.count >= said.pieces.length) return undefined;
    const next = setTimeout(() => {
      setSaid(({ count, ...rest }) => ({ ...rest, count: count + 1 }));
    }, PAUSE);
    return () => {
      clearTimeout(next);
    };
  }, [said]);
  return (
    <AnnounceContext value={announce}>
      {children}
      <VisuallyHidden>
        {/* New elements each time: the same sentence twice is still read twice. */}
        <span aria-live="polite">
          <span key={said.times}>
            {said.pieces.slice(0, said.count).map((piece, at) => (
              <div key={at}>{piece}</div>
            ))}
          </span>
        </span>
      </VisuallyHidden>
    </AnnounceContext>
  );
}

export const useAnnounce = () => use(AnnounceContext);
