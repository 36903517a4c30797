/**
 * The parts of a message in their order.
 */
import { useFormats, useText } from '../i18n';
import type { ContentPart, Message, SessionId } from '../ipc/bindings';
import { Disclosure } from '../kit/Disclosure';
import { Icon } from '../kit/Icon';
import { Markdown } from '../markdown/Markdown';
import { usePicture } from '../state/picture';
import { ToolPart } from './ToolPart';

export function Parts({ message, sessionId }: { message: Message; sessionId: SessionId }) {
  const streaming = message.state.type === 'streaming';
  return message.parts.map((part, at) => (
    // Parts are only ever appended to: their place is their identity.
    <PartView
      key={at}
      part={part}
      person={message.role === 'user'}
      streaming={streaming && at === message.parts.length - 1}
      sessionId={sessionId}
    />
  ));
}

type PartViewProps = {
  part: ContentPart;
  person: boolean;
  streaming: boolean;
  sessionId: SessionId;
};

function PartView({ part, person, streaming, sessionId }: PartViewProps) {
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
        <Disclosure label={text('transcript.reasoning')}>
          <p className="Message-words" dir="auto">
            {part.text}
          </p>
        </Disclosure>
      );
    case 'image':
    case 'file':
      return <AttachmentView part={part} />;
    case 'tool':
      return <ToolPart call={part.call} sessionId={sessionId} />;
  }
}

function AttachmentView({ part }: { part: Extract<ContentPart, { type: 'image' | 'file' }> }) {
  const formats = useFormats();
  const picture = usePicture(part);
  return (
    <figure className="Message-attachment">
      {picture !== null && <img className="Message-picture" src={picture} alt={part.name} />}
      <figcaption>
        <Icon name={part.type} /> {part.name} · {formats.size(part.bytes)}
      </figcaption>
    </figure>
  );
}
