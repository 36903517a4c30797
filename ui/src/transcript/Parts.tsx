/**
 * The parts of a message in their order.
 */
import { use } from 'react';
import { usePicture, type Attachment } from '../attachments/picture';
import { useFormats, useText } from '../i18n';
import type { ContentPart, Message, SessionId } from '../ipc/bindings';
import { Icon } from '../kit/Icon';
import { Markdown } from '../markdown/Markdown';
import { Fold } from './Fold';
import { OpenContext } from './opened';
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

function AttachmentView({ part }: { part: Attachment }) {
  const text = useText();
  const formats = useFormats();
  const picture = usePicture(part);
  const open = use(OpenContext);
  return (
    <figure className="Message-attachment">
      <button
        type="button"
        className="Message-open"
        aria-label={text('attach.open', { name: part.name })}
        onClick={() => {
          open({ type: 'attachment', part });
        }}
      >
        {picture !== null && <img className="Message-picture" src={picture} alt="" />}
        <Icon name={part.type} /> {part.name}
      </button>{' '}
      · {formats.size(part.bytes)}
    </figure>
  );
}
