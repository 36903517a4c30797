/**
 * Opens a part of a message in a dialog: an attachment, an image, a tool output, the choice of another
 * model, or the request that a reply answered. The dialog is mounted outside of the rows, which unmount
 * when they leave the view.
 */
import { createContext } from 'react';
import type { Attachment, MessageId, ModelRef, WholeOutput } from '../../ipc/bindings';

export type ViewerContent =
  | { type: 'attachment'; part: Attachment }
  | { type: 'picture'; address: string; name: string }
  | { type: 'output'; tool: string; whole: WholeOutput }
  | { type: 'anew'; answer: MessageId; by: ModelRef | null }
  | { type: 'request'; reply: MessageId };

export const ViewerContext = createContext<(opened: ViewerContent) => void>(() => undefined);
