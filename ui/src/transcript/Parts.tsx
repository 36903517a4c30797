/**
 * The parts of a message in their order.
 */
import { useText } from '../i18n';
import type { ContentPart, Message, MessageId, SessionId } from '../ipc/bindings';
import { Markdown } from '../markdown/Markdown';
import { PlainWords } from '../markdown/PlainWords';
import { useTurn } from '../state/turn';
import { AttachmentView } from './AttachmentView';
import { Fold } from './Fold';
import { ToolPart } from './ToolPart';

export function Parts({ message, sessionId }: { message: Message; sessionId: SessionId }) {
  const streaming = message.state.type === 'streaming';
  return message.parts.map((part, at) => (
    // Parts are only ever appended to: their place is their identity.
    <PartView
      key={at}
      messageId={message.id}
      at={at}
      part={part}
      person={message.role === 'user'}
      streaming={streaming && at === message.parts.length - 1}
      sessionId={sessionId}
    />
  ));
}

type PartViewProps = {
  messageId: MessageId;
  at: number;
  part: ContentPart;
  person: boolean;
  streaming: boolean;
  sessionId: SessionId;
};

function PartView({ messageId, at, part, person, streaming, sessionId }: PartViewProps) {
  const text = useText();
  const growing = useTurn(sessionId, (turn) => (streaming ? turn.growing : null));
  switch (part.type) {
    case 'text':
      return person ? (
        <PlainWords className="Message-words" text={part.text} lineHeight={22} />
      ) : (
        <Markdown
          text={growing?.messageId === messageId ? growing.portions : part.text}
          streaming={streaming}
        />
      );
    case 'reasoning':
      return part.text === '' ? null : (
        <Fold line={`${messageId}/${at}`} label={text('transcript.reasoning')}>
          <PlainWords className="Message-words" text={part.text} lineHeight={22} />
        </Fold>
      );
    case 'image':
    case 'file':
      return <AttachmentView part={part} />;
    case 'tool':
      return <ToolPart messageId={messageId} call={part.call} sessionId={sessionId} />;
  }
}
