/**
 * One line of the transcript: a message, a summary, a notice or a card.
 */
import { memo, type Dispatch, type ReactNode, type SetStateAction } from 'react';
import { useText } from '../i18n';
import type { Message, MessageId, SessionId, TranscriptItem } from '../ipc/bindings';
import { MessageView } from './MessageView';
import { NoticeView } from './NoticeView';
import { SummaryView } from './SummaryView';

export type ItemProps = {
  item: TranscriptItem;
  sessionId: SessionId;
  readOnly: boolean;
  last: boolean;
  editing: boolean;
  onEditing: Dispatch<SetStateAction<MessageId | null>>;
  onCompare: (item: TranscriptItem) => void;
  onProviders: () => void;
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
        <NoticeView
          notice={message.kind.notice}
          sessionId={props.sessionId}
          readOnly={props.readOnly}
        />
      );
    case 'card':
      return (
        <article className="Card" aria-label={text('transcript.card')}>
          {props.card(message)}
        </article>
      );
  }
});
