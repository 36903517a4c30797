/**
 * What is opened from a message over the window: an attachment, a picture of its text, a whole result, or
 * the choice of who is to answer anew.
 * It stands above the rows, which come and go while it is read.
 */
import { createContext } from 'react';
import type { Attachment, MessageId, ModelRef, WholeOutput } from '../../ipc/bindings';

export type ViewerContent =
  | { type: 'attachment'; part: Attachment }
  | { type: 'picture'; address: string; name: string }
  | { type: 'output'; tool: string; whole: WholeOutput }
  | { type: 'anew'; answer: MessageId; by: ModelRef | null };

/** Opens it. */
export const ViewerContext = createContext<(opened: ViewerContent) => void>(() => undefined);
