import type { Dispatch, ReactNode, SetStateAction } from 'react';
import type { Message, MessageId, ProviderId, SessionId, TranscriptItem } from '../../ipc/bindings';

export type TranscriptRowProps = {
  item: TranscriptItem;
  sessionId: SessionId;
  readOnly: boolean;
  last: boolean;
  editing: boolean;
  /** What is edited came back with its thread: nobody asked for it just now. */
  isRestored: boolean;
  onEditing: Dispatch<SetStateAction<MessageId | null>>;
  onCompare: (item: TranscriptItem) => void;
  onProvider: (provider: ProviderId) => void;
  /** What stands in the card that `/context` posts. */
  renderContextCard: (message: Message) => ReactNode;
};
