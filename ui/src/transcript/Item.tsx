/**
 * One line of the transcript: a message, a summary, a notice or a card.
 */
import { memo, type ReactNode } from 'react';
import { useText } from '../i18n';
import type { Message, MessageId, SessionId, TranscriptItem } from '../ipc/bindings';
import { MessageView } from './MessageView';
import { SummaryView } from './SummaryView';
import { noticeWords } from './notices';

export type ItemProps = {
  item: TranscriptItem;
  sessionId: SessionId;
  readOnly: boolean;
  last: boolean;
  editing: boolean;
  onEditing: (message: MessageId | null) => void;
  onCompare: (item: TranscriptItem) => void;
  /** What stands in the card that `/context` posts. */
  card: (message: Message) => ReactNode;
};

export const Item = memo(function Item(props: ItemProps) {
  const text = useText();
  const { message } = props.item;
  switch (message.kind.type) {
    case 'chat':
      return <MessageView {...props} />;
    case 'summary':
      return <SummaryView {...props} />;
    case 'notice':
      return (
        <article className="Notice" aria-label={text('transcript.notice')}>
          {noticeWords(text, message.kind.notice)}
        </article>
      );
    case 'card':
      return (
        <article className="Card" aria-label={text('transcript.card')}>
          {props.card(message)}
        </article>
      );
  }
});
