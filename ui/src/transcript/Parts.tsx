/**
 * The parts of a message in their order.
 */
import { useState } from 'react';
import { AttachmentViewer } from '../attachments/AttachmentViewer';
import { usePicture, type Attachment } from '../attachments/picture';
import { useFormats, useText } from '../i18n';
import type { ContentPart, Message, SessionId } from '../ipc/bindings';
import { Disclosure } from '../kit/Disclosure';
import { Icon } from '../kit/Icon';
import { Markdown } from '../markdown/Markdown';
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

function AttachmentView({ part }: { part: Attachment }) {
  const text = useText();
  const formats = useFormats();
  const picture = usePicture(part);
  const [open, setOpen] = useState(false);
  return (
    <figure className="Message-attachment">
      <button
        type="button"
        className="Message-open"
        aria-label={text('attach.open', { name: part.name })}
        onClick={() => {
          setOpen(true);
        }}
      >
        {picture !== null && <img className="Message-picture" src={picture} alt="" />}
        <Icon name={part.type} /> {part.name}
      </button>{' '}
      · {formats.size(part.bytes)}
      {open && (
        <AttachmentViewer
          part={part}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </figure>
  );
}
