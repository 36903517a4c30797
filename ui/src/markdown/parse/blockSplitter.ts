/**
 * Cuts a text into pieces that can be read one by one, line by line and in one pass, so that a
 * growing text is only ever read again from the start of its last piece. A piece is one fence of
 * code, or blocks without a blank line between them, or a whole list.
 *
 * Where a cut lies depends on the lines before it and the first line after it alone: however a text
 * arrives, its pieces are the same. What is deliberately not here: any meaning inside of a piece.
 */

export type SourceBlock = {
  kind: 'fence' | 'flow';
  source: string;
  /** For a fence: whether the closing line was read. Flow is always closed. */
  closed: boolean;
};

type Fence = { mark: string; length: number };

type SplitterState = {
  /** The start of the open piece in `rest`, in characters. */
  start: number;
  kind: 'none' | 'fence' | 'list' | 'other';
  fence: Fence;
  /** The previous line was blank. */
  afterBlank: boolean;
};

const noFence: Fence = { mark: '', length: 0 };
const fenceLine = /^( {0,3})(`{3,}|~{3,})(.*)$/;
const listLine = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;

export class BlockSplitter {
  /** Pieces that no further text can change. */
  readonly closed: SourceBlock[] = [];
  /** The open piece and the line after it. The text of closed pieces is dropped. */
  private rest = '';
  /** The scanned part of `rest`; an incomplete line follows. */
  private read = 0;
  private state: SplitterState = { start: 0, kind: 'none', fence: noFence, afterBlank: false };

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
    this.cut(state, this.rest.length, pieces, false);
    return pieces;
  }

  /** The state after the line from `from` to `to`. Finished pieces are added to `into`. */
  private step(state: SplitterState, from: number, to: number, into: SourceBlock[]): SplitterState {
    const line = this.rest.slice(from, to).replace(/\r$/, '');
    const next = Math.min(to + 1, this.rest.length);

    if (state.kind === 'fence') {
      if (!closesFence(line, state.fence)) return state;
      this.cut(state, next, into, true);
      return { start: next, kind: 'none', fence: noFence, afterBlank: false };
    }
    if (/^\s*$/.test(line)) return { ...state, afterBlank: true };

    const [, indent = '', marks = '', info = ''] = fenceLine.exec(line) ?? [];
    const opens = marks !== '' && !(marks.startsWith('`') && info.includes('`'));
    if (opens && !(state.kind === 'list' && indent !== '')) {
      if (state.kind !== 'none') this.cut(state, from, into, true);
      const fence = { mark: marks.charAt(0), length: marks.length };
      return {
        start: state.kind === 'none' ? state.start : from,
        kind: 'fence',
        fence,
        afterBlank: false,
      };
    }

    const kind = listLine.test(line) ? 'list' : 'other';
    if (state.kind === 'none') return { ...state, kind, afterBlank: false };
    const goesOn =
      !state.afterBlank ||
      (state.kind === 'list'
        ? kind === 'list' || /^[ \t]/.test(line)
        : /^(?: {4}| {0,3}\t)/.test(line));
    if (goesOn) return { ...state, kind: kind === 'list' ? kind : state.kind, afterBlank: false };
    this.cut(state, from, into, true);
    return { start: from, kind, fence: noFence, afterBlank: false };
  }

  private cut(state: SplitterState, end: number, into: SourceBlock[], closed: boolean) {
    if (state.kind === 'none') return;
    const source = this.rest.slice(state.start, end).replace(/\r\n?/g, '\n');
    const kind = state.kind === 'fence' ? 'fence' : 'flow';
    into.push({ kind, source, closed: closed || kind === 'flow' });
  }
}

function closesFence(line: string, { mark, length }: Fence): boolean {
  const trimmed = line.trim();
  return (
    trimmed.length >= length && /^ {0,3}\S/.test(line) && trimmed === mark.repeat(trimmed.length)
  );
}
