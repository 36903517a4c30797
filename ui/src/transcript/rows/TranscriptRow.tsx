/**
 * A row of the transcript: a message, a summary, a notice or a card.
 */
import { memo } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { Message } from '../../ipc/bindings';
import { CopyButton } from '../../kit/notifications/CopyButton';
import { ErrorBoundary } from '../../kit/display/ErrorBoundary';
import { MessageView } from '../message/MessageView';
import type { TranscriptRowProps } from '../state/transcriptRowProps';
import { NoticeView } from './NoticeView';
import { SummaryView } from '../compaction/SummaryView';

/** A row that fails to render still offers to copy its text. */
export const TranscriptRow = memo(function TranscriptRow(props: TranscriptRowProps) {
  const { item } = props;
  return (
    <ErrorBoundary holds={item} instead={() => <RowErrorFallback message={item.message} />}>
      <TranscriptRowContent {...props} />
    </ErrorBoundary>
  );
});

function RowErrorFallback({ message }: { message: Message }) {
  const text = useText();
  const { desktop } = useBackend();
  return (
    <article className="Message-ending" aria-label={text('transcript.undrawable')}>
      {text('transcript.undrawable')}
      <CopyButton
        label={text('transcript.copy')}
        copy={() => desktop.copyText(JSON.stringify(message.parts, null, 2))}
      />
    </article>
  );
}

function TranscriptRowContent(props: TranscriptRowProps) {
  const text = useText();
  const { message, card } = props.item;
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
      // A card of another version cannot be drawn.
      return !card ? (
        <RowErrorFallback message={message} />
      ) : (
        <article className="Card" aria-label={text('transcript.card')}>
          {props.renderContextCard(card)}
        </article>
      );
  }
}
