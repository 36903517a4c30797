/**
 * The syntax tree of a Markdown text: plain data. Every URL in it is safe to open (safeUrl.ts); others
 * became text.
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

/** A list or a quotation that is too long for one element is several blocks. */
export type BlockPart = {
  /** It continues the block before it. */
  continues?: boolean;
  /** The next block continues it. */
  goesOn?: boolean;
};

export type ListBlock = BlockPart & {
  type: 'list';
  /** null: bullets. */
  start: number | null;
  /** There is space between the items. */
  loose: boolean;
  items: readonly ListItem[];
};

export type Block =
  | { type: 'paragraph'; children: readonly Inline[] }
  | { type: 'heading'; depth: 1 | 2 | 3 | 4 | 5 | 6; children: readonly Inline[] }
  /** `language`: '' if none is given. `growing`: the closing fence may still arrive. */
  | { type: 'code'; language: string; text: string; growing: boolean }
  | { type: 'math'; tex: string }
  | (BlockPart & { type: 'quote'; blocks: readonly Block[] })
  | ListBlock
  | {
      type: 'table';
      align: readonly Align[];
      header: readonly (readonly Inline[])[];
      rows: readonly (readonly (readonly Inline[])[])[];
    }
  | { type: 'rule' }
  /** Shown as plain text: HTML, and text that is too complex to parse in linear time. */
  | { type: 'raw'; text: string };
