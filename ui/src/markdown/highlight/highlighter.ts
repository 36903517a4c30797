/**
 * The client of the highlight worker, which starts with the first code block that comes into view.
 */
/** A token of code; its kind names a colour in tokens.css; null: plain. */
export type TokenKind =
  'keyword' | 'string' | 'constant' | 'function' | 'comment' | 'parameter' | 'punctuation' | null;
export type HighlightedLine = readonly (readonly [kind: TokenKind, text: string])[];

export type HighlightRequest = { id: number; language: string; code: string };
export type HighlightReply = { id: number; lines: HighlightedLine[] | null };

/** Longer code stays plain. */
const maxHighlightChars = 60_000;

export const isHighlightable = (language: string, code: string) =>
  language !== '' && code.length <= maxHighlightChars;

type PendingHighlight = {
  resolve: (lines: HighlightedLine[]) => void;
  reject: (error: Error) => void;
};

let worker: Worker | null = null;
let lastId = 0;
const waiting = new Map<number, PendingHighlight>();

function startWorker(): Worker {
  const started = new Worker(new URL('./highlight.worker.ts', import.meta.url), { type: 'module' });
  started.onmessage = ({ data: { id, lines } }: MessageEvent<HighlightReply>) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    if (lines) asked?.resolve(lines);
    else asked?.reject(new Error('no colours for this code'));
  };
  started.onerror = () => {
    for (const { reject } of waiting.values()) reject(new Error('the highlighter stopped'));
    waiting.clear();
    worker = null;
  };
  return started;
}

/** The tokens of the code by line. Rejects if the code cannot be highlighted. */
export function highlight(language: string, code: string): Promise<HighlightedLine[]> {
  worker ??= startWorker();
  lastId += 1;
  const request: HighlightRequest = { id: lastId, language, code };
  const reply = new Promise<HighlightedLine[]>((resolve, reject) => {
    waiting.set(request.id, { resolve, reject });
  });
  worker.postMessage(request);
  return reply;
}
