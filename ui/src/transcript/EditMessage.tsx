/**
 * A message of the person being edited, with what goes along with it.
 */
import { useRef } from 'react';
import { useDrops } from '../attachments/dropping';
import { useText } from '../i18n';
import type { Draft, Message } from '../ipc/bindings';
import { IconButton } from '../kit/IconButton';
import { Spinner } from '../kit/Spinner';
import { AttachmentView } from './AttachmentView';
import { EditBox } from './EditBox';
import { useEditedAttachments } from './editing';
import { plainText } from './plainText';

type EditMessageProps = {
  message: Message;
  /** Whether it is stored. */
  onSave: (edited: Draft) => Promise<boolean>;
  onClose: () => void;
};

export function EditMessage({ message, onSave, onClose }: EditMessageProps) {
  const box = useRef<HTMLFormElement>(null);
  const edited = useEditedAttachments(message);
  const isOver = useDrops(edited.add, box);
  return (
    <EditBox
      id={message.id}
      text={plainText(message)}
      along={{
        view: <Along edited={edited} />,
        isEnough: edited.attachments.length > 0,
        isChanged: edited.isChanged,
        isReading: edited.reading.length > 0,
        isOver,
        box,
      }}
      onSave={(words) => onSave({ text: words, attachments: [...edited.attachments] })}
      onClose={() => {
        edited.close();
        onClose();
      }}
    />
  );
}

function Along({ edited }: { edited: ReturnType<typeof useEditedAttachments> }) {
  const text = useText();
  const { attachments, reading, choose, remove } = edited;
  return (
    <ul className="EditBox-along" aria-label={text('composer.attachments')}>
      {attachments.map((part, at) => (
        // The same file may be there twice.
        <li key={`${at}/${part.blob}`}>
          <AttachmentView part={part} />
          <IconButton
            label={text('attach.remove', { name: part.name })}
            icon="close"
            onClick={() => {
              remove(at);
            }}
          />
        </li>
      ))}
      {reading.map((name, at) => (
        <li key={`reading-${at}`} aria-busy>
          <Spinner>{text('attach.reading', { name })}</Spinner>
        </li>
      ))}
      <li>
        <IconButton label={text('composer.attach')} icon="attach" onClick={choose} />
      </li>
    </ul>
  );
}
