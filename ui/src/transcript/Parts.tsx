/**
 * The parts of a message in their order.
 */
import { useText } from '../i18n';
import type { ContentPart, Message, SessionId } from '../ipc/bindings';
import { Markdown } from '../markdown/Markdown';
import { AttachmentView } from './AttachmentView';
import { Fold } from './Fold';
import { ToolPart } from './ToolPart';

export function Parts({ message, sessionId }: { message: Message; sessionId: SessionId }) {
  const streaming = message.state.type === 'streaming';
  return message.parts.map((part, at) => (
    // Parts are only ever appended to: their place is their identity.
    <PartView
      key={at}
      line={`${message.id}/${at}`}
      part={part}
      person={message.role === 'user'}
      streaming={streaming && at === message.parts.length - 1}
      sessionId={sessionId}
    />
  ));
}

type PartViewProps = {
  line: string;
  part: ContentPart;
  person: boolean;
  streaming: boolean;
  sessionId: SessionId;
};

function PartView({ line, part, person, streaming, sessionId }: PartViewProps) {
  const text = useText();
  switch (part.type) {
    case 'text':
      return person ? (
        <p className="Message-words" dir="auto">
          {part.text}
        </p>
      ) : (
        <Markdown text={part.text} streaming={streaming} />
      );
    case 'reasoning':
      return part.text === '' ? null : (
        <Fold line={line} label={text('transcript.reasoning')}>
          <p className="Message-words" dir="auto">
            {part.text}
          </p>
        </Fold>
      );
    case 'image':
    case 'file':
      return <AttachmentView part={part} />;
    case 'tool':
      return <ToolPart call={part.call} sessionId={sessionId} />;
  }
}
