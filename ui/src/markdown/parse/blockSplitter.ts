/**
 * Splits a text into pieces that can be parsed one by one, line by line and in one pass, so that a
 * growing text is parsed again only from the start of its last piece. A piece is a code fence, or
 * blocks without a blank line between them, or a list; a long list is split between items.
 *
 * A boundary depends only on the lines before it and the first line after it: the pieces are the
 * same however a text arrives. Not here: the parsing of a piece.
 */

export type SourceBlock = {
  kind: 'fence' | 'flow';
  source: string;
  /** For a fence: whether the closing line was read. Flow is always closed. */
  closed: boolean;
  /**
   * The marker of the list item that the next piece begins with, where a long list was cut; null: the piece
   * was not cut within a list. Whether that line is an item of the same list, parseListPart decides.
   */
  nextItem: string | null;
};

type Fence = { mark: string; length: number };

type SplitterState = {
  /** The start of the open piece in `rest`, in characters. */
  start: number;
  kind: 'none' | 'fence' | 'list' | 'other';
  fence: Fence;
  /** The last character of the list marker that the piece begins with; '': it begins otherwise. */
  marker: string;
  /** The previous line was blank. */
  afterBlank: boolean;
};

/** A list is cut before an item when the piece has this many characters. */
const listPartLength = 1024;

const noFence: Fence = { mark: '', length: 0 };
const fenceLine = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const listLine = /^ {0,3}([-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
/** An item of the outermost list, with text. */
const itemLine = /^([-*+]|\d{1,9}[.)])[ \t]+\S/;

export class BlockSplitter {
  /** Pieces that no further text can change. */
  readonly closed: SourceBlock[] = [];
  /** The open piece and the line after it. The text of closed pieces is dropped. */
  private rest = '';
  /** The scanned part of `rest`; an incomplete line follows. */
  private read = 0;
  private state = newPiece(0);

  /** Appends text. */
  add(words: string) {
    // The line without its end is not looked through again for each of its portions.
    const looked = this.rest.length;
    this.rest += words;
    let end = this.rest.indexOf('\n', looked);
    while (end >= 0) {
      this.state = this.step(this.state, this.read, end, this.closed);
      this.read = end + 1;
      end = this.rest.indexOf('\n', this.read);
    }
    this.discard(this.state.start);
  }

  /** Characters of the fence that is open; null: none is. */
  openFenceLength(): number | null {
    return this.state.kind === 'fence' ? this.rest.length - this.state.start : null;
  }

  private discard(upTo: number) {
    if (upTo === 0) return;
    this.rest = this.rest.slice(upTo);
    this.read -= upTo;
    this.state = { ...this.state, start: 0 };
  }

  /** The pieces that may still change, as if the last line were complete. */
  open(): SourceBlock[] {
    const pieces: SourceBlock[] = [];
    const state =
      this.read < this.rest.length
        ? this.step(this.state, this.read, this.rest.length, pieces)
        : this.state;
    this.cut(state, this.rest.length, pieces, { closed: false });
    const [first, second] = pieces;
    if (!first || !second || first.nextItem === null) return pieces;
    // A list is cut before a line only once that has its end.
    return [{ ...second, source: first.source + second.source }];
  }

  /** Scans the line `from..to`, adds finished blocks to `into`, and returns the state after the line. */
  private step(state: SplitterState, from: number, to: number, into: SourceBlock[]): SplitterState {
    const line = this.rest.slice(from, to).replace(/\r$/, '');
    const next = Math.min(to + 1, this.rest.length);

    if (state.kind === 'fence') {
      if (!closesFence(line, state.fence)) return state;
      this.cut(state, next, into);
      return newPiece(next);
    }
    if (/^\s*$/.test(line)) return { ...state, afterBlank: true };

    const [, indent = '', marks = '', info = ''] = fenceLine.exec(line) ?? [];
    const opens = marks !== '' && !(marks.startsWith('`') && info.includes('`'));
    if (opens && !(state.kind === 'list' && indent !== '')) {
      if (state.kind !== 'none') this.cut(state, from, into);
      const fence = { mark: marks.charAt(0), length: marks.length };
      return {
        ...newPiece(state.kind === 'none' ? state.start : from),
        kind: 'fence',
        fence,
      };
    }

    const marker = listLine.exec(line)?.[1]?.at(-1) ?? '';
    const kind = marker === '' ? 'other' : 'list';
    if (state.kind === 'none') return { ...newPiece(state.start), kind, marker };
    const goesOn =
      !state.afterBlank ||
      (state.kind === 'list'
        ? kind === 'list' || /^[ \t]/.test(line)
        : /^(?: {4}| {0,3}\t)/.test(line));
    const nextItem =
      goesOn && from - state.start >= listPartLength && marker === state.marker
        ? (itemLine.exec(line)?.[1] ?? null)
        : null;
    if (goesOn && nextItem === null) {
      return { ...state, kind: kind === 'list' ? kind : state.kind, afterBlank: false };
    }
    this.cut(state, from, into, { nextItem });
    return { ...newPiece(from), kind, marker };
  }

  private cut(
    state: SplitterState,
    end: number,
    into: SourceBlock[],
    { closed = true, nextItem = null }: Partial<Pick<SourceBlock, 'closed' | 'nextItem'>> = {},
  ) {
    if (state.kind === 'none') return;
    const written = this.rest.slice(state.start, end);
    const source = written.includes('\r') ? written.replace(/\r\n?/g, '\n') : written;
    const kind = state.kind === 'fence' ? 'fence' : 'flow';
    into.push({ kind, source, closed: closed || kind === 'flow', nextItem });
  }
}

const newPiece = (start: number): SplitterState => ({
  start,
  kind: 'none',
  fence: noFence,
  marker: '',
  afterBlank: false,
});

/** Characters of a text that are split at once. */
const portionLength = 65_536;

/** The pieces of a whole text, its lists not cut, each made on demand. */
export function* wholePieces(text: string): Generator<SourceBlock, void> {
  let parts = '';
  for (const piece of allPieces(text)) {
    parts += piece.source;
    if (piece.nextItem !== null) continue;
    yield { ...piece, source: parts };
    parts = '';
  }
}

function* allPieces(text: string): Generator<SourceBlock, void> {
  const splitter = new BlockSplitter();
  let taken = 0;
  for (let from = 0; from < text.length; from += portionLength) {
    splitter.add(text.slice(from, from + portionLength));
    yield* splitter.closed.slice(taken);
    taken = splitter.closed.length;
  }
  yield* splitter.open();
}

function closesFence(line: string, { mark, length }: Fence): boolean {
  const trimmed = line.trim();
  return (
    trimmed.length >= length && /^ {0,3}\S/.test(line) && trimmed === mark.repeat(trimmed.length)
  );
}
