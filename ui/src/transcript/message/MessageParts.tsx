/**
 * The parts of a message in their order.
 */
import { useText } from '../../i18n';
import type { ContentPart, Message, MessageId, SessionId } from '../../ipc/bindings';
import { Markdown } from '../../markdown/render/Markdown';
import { PlainText } from '../../markdown/render/PlainText';
import { useTurn } from '../../state/turn/turnStore';
import { AttachmentView } from '../viewer/AttachmentView';
import { PersistentDisclosure } from '../state/PersistentDisclosure';
import { ToolPart } from '../tools/ToolPart';

export function MessageParts({ message, sessionId }: { message: Message; sessionId: SessionId }) {
  const streaming = message.state.type === 'streaming';
  return message.parts.map((part, at) => (
    // Parts are only ever appended to: their index is their key.
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
  const growing = useTurn(sessionId, (turn) => (streaming ? turn.streamingText : null));
  switch (part.type) {
    case 'text':
      return person ? (
        <PlainText className="Message-words" text={part.text} lineHeight={22} />
      ) : (
        <Markdown
          text={growing?.messageId === messageId ? growing.portions : part.text}
          streaming={streaming}
        />
      );
    case 'reasoning':
      return part.text === '' ? null : (
        <PersistentDisclosure line={`${messageId}/${at}`} label={text('transcript.reasoning')}>
          <PlainText className="Message-words" text={part.text} lineHeight={22} />
        </PersistentDisclosure>
      );
    case 'image':
    case 'file':
      return <AttachmentView part={part} />;
    case 'tool':
      return <ToolPart messageId={messageId} call={part.call} sessionId={sessionId} />;
  }
}
