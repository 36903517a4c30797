/**
 * Announces a text to screen readers, once. Not for banners and toasts, which are live regions themselves.
 * A long text is announced in chunks, so that the app window does not freeze.
 */
import {
  createContext,
  use,
  useCallback,
  useEffect,
  useRef,
  useState,
  type ReactNode,
} from 'react';
import { createPortal } from 'react-dom';
import { useTopOverlayHost } from '../layers/overlayStack';
import { chunkText } from '../text/chunkText';
import '../a11y/VisuallyHidden.css';

/** Characters in a chunk. */
const CHUNK_CHARS = 2_000;
/** Milliseconds between two chunks. */
const CHUNK_INTERVAL_MS = 50;
/** Announced chunks that stay in the page: a reply of a megabyte has hundreds. */
const CHUNKS_KEPT = 10;
/** Milliseconds until an announced text leaves the page, where a screen reader would read it again. */
const CLEAR_AFTER_MS = 10_000;

/** A text, or the chunks of a long one, each made when it is announced. */
type Announcement = string | Generator<string, void>;

const LiveRegionContext = createContext<(words: Announcement) => void>(() => undefined);

export function LiveRegionProvider({ children }: { children: ReactNode }) {
  const [said, setSaid] = useState({ pieces: [''], dropped: 0, times: 0 });
  // The chunks that wait to be announced, of all texts: a newer text does not remove those of an older one.
  const waiting = useRef<Generator<string, void>[]>([]);
  // Texts of one commit are announced together: none replaces another.
  const fresh = useRef(false);
  const announce = useCallback((words: Announcement) => {
    waiting.current.push(chunkAnnouncement(words));
    const piece = nextChunk(waiting.current);
    if (piece === undefined) return;
    const joins = fresh.current;
    fresh.current = true;
    setSaid((said) =>
      joins ? withPiece(said, piece) : { pieces: [piece], dropped: 0, times: said.times + 1 },
    );
  }, []);
  useEffect(() => {
    fresh.current = false;
    const timer = setTimeout(() => {
      const piece = nextChunk(waiting.current);
      if (piece === undefined) return;
      setSaid((said) => withPiece(said, piece));
    }, CHUNK_INTERVAL_MS);
    const emptied = setTimeout(() => {
      if (said.pieces.join('') !== '') setSaid({ pieces: [''], dropped: 0, times: said.times });
    }, CLEAR_AFTER_MS);
    return () => {
      clearTimeout(timer);
      clearTimeout(emptied);
    };
  }, [said]);
  const host = useTopOverlayHost('VisuallyHidden');
  return (
    <LiveRegionContext value={announce}>
      {children}
      {createPortal(
        // New elements each time: the same text twice is announced twice.
        <div aria-live="polite">
          <div key={said.times}>
            {said.pieces.map((piece, at) => (
              <div key={said.dropped + at}>{piece}</div>
            ))}
          </div>
        </div>,
        host,
      )}
    </LiveRegionContext>
  );
}

function withPiece<Said extends { pieces: readonly string[]; dropped: number }>(
  said: Said,
  piece: string,
) {
  const pieces = [...said.pieces, piece];
  const surplus = Math.max(0, pieces.length - CHUNKS_KEPT);
  return { ...said, pieces: pieces.slice(surplus), dropped: said.dropped + surplus };
}

function nextChunk(waiting: Generator<string, void>[]): string | undefined {
  for (let first = waiting[0]; first; first = waiting[0]) {
    const said = first.next();
    if (said.done !== true) return said.value;
    waiting.shift();
  }
  return undefined;
}

function* chunkAnnouncement(words: Announcement): Generator<string, void> {
  let piece = '';
  for (const sentence of typeof words === 'string' ? [words] : words) {
    piece += piece === '' ? sentence : `\n${sentence}`;
    if (piece.length < CHUNK_CHARS) continue;
    yield* chunkText(piece, CHUNK_CHARS);
    piece = '';
  }
  if (piece !== '') yield piece;
}

export const useAnnounce = () => use(LiveRegionContext);
