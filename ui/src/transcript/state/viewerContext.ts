/**
 * Opens something of a message in a dialog: an attachment, an image, a tool output, the choice of another
 * model, the request that a reply answered, or a summary of a range. The dialog is mounted outside of the
 * rows, which unmount when they leave the view.
 */
import { createContext } from 'react';
import type { Attachment, ChosenRange, MessageId, ModelRef, WholeOutput } from '../../ipc/bindings';

export type ViewerContent =
  | { type: 'attachment'; part: Attachment }
  | { type: 'picture'; address: string; name: string }
  | { type: 'output'; tool: string; whole: WholeOutput }
  | { type: 'anew'; answer: MessageId; by: ModelRef | null }
  | { type: 'request'; reply: MessageId }
  | { type: 'summarise'; range: ChosenRange };

export const ViewerContext = createContext<(opened: ViewerContent) => void>(() => undefined);
