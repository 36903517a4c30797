/** What a toast says, and what it offers. */
export type ToastContent = {
  words: string;
  /** Leads to where something can be done about it. */
  way?: { words: string; go: () => void };
  /** Takes back what the words say was done. */
  undo?: () => void;
  /** What it is of: a newer one of the same takes its place. */
  of?: string;
  /** It did not work; such a toast stays until it is dismissed. */
  failed?: boolean;
};
