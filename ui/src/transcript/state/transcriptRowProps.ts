import type { Dispatch, ReactNode, SetStateAction } from 'react';
import type {
  Breakdown,
  MessageId,
  ProviderId,
  SessionId,
  TranscriptItem,
} from '../../ipc/bindings';

export type TranscriptRowProps = {
  item: TranscriptItem;
  sessionId: SessionId;
  readOnly: boolean;
  last: boolean;
  editing: boolean;
  /** The edit form opened with its thread and not by the user. */
  isRestored: boolean;
  onEditing: Dispatch<SetStateAction<MessageId | null>>;
  onCompare: (item: TranscriptItem) => void;
  onProvider: (provider: ProviderId) => void;
  /** Renders the card that `/context` posts. */
  renderContextCard: (breakdown: Breakdown) => ReactNode;
};
