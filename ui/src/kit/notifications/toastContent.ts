/** The text of a toast and its buttons. */
export type ToastContent = {
  words: string;
  /** A button that leads to where the user can act. */
  way?: { words: string; go: () => void };
  /** Undoes the action. */
  undo?: () => void;
  /** The name of the button, if the action was itself an undo; absent: "Undo". */
  undoName?: string;
  /** The subject: a newer toast with the same subject replaces this one. */
  of?: string;
  /** The action failed: the toast stays until it is dismissed. */
  failed?: boolean;
};
