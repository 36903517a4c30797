/**
 * What a text becomes before it is shown: plain data, nothing in it can run. Addresses in it are
 * safe to offer (see safeUrl.ts) or they are words.
 */

export type Inline =
  | { type: 'text'; text: string }
  | { type: 'break' }
  | { type: 'code'; text: string }
  | { type: 'math'; tex: string; display: boolean }
  | { type: 'strong' | 'emphasis' | 'deleted'; children: readonly Inline[] }
  | { type: 'link'; href: string; children: readonly Inline[] }
  | { type: 'image'; src: string; alt: string };

export type Align = 'left' | 'center' | 'right' | null;

export type ListItem = {
  /** null: not a task. */
  done: boolean | null;
  blocks: readonly Block[];
};

export type Block =
  | { type: 'paragraph'; children: readonly Inline[] }
  | { type: 'heading'; depth: 1 | 2 | 3 | 4 | 5 | 6; children: readonly Inline[] }
  /** `language` is '' where none is given; `growing` while its closing fence may still come. */
  | { type: 'code'; language: string; text: string; growing: boolean }
  | { type: 'math'; tex: string }
  | { type: 'quote'; blocks: readonly Block[] }
  /** `start` is null for bullets; a loose list has room between its items. */
  | { type: 'list'; start: number | null; loose: boolean; items: readonly ListItem[] }
  | {
      type: 'table';
      align: readonly Align[];
      header: readonly (readonly Inline[])[];
      rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { type: 'rule' }
  /**
   * Shown as it was written: HTML, and what is too intricate to be read in linear time. One that is too long
   * for one element goes on in the next.
   */
  | { type: 'raw'; text: string; goesOn?: true };
