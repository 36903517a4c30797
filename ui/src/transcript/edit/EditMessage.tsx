/**
 * Edits a message of the user and its attachments.
 */
import { useRef } from 'react';
import { useFileDrop } from '../../attachments/useFileDrop';
import { useText } from '../../i18n';
import type { Draft } from '../../ipc/bindings';
import { IconButton } from '../../kit/controls/IconButton';
import { Spinner } from '../../kit/display/Spinner';
import { AttachmentView } from '../viewer/AttachmentView';
import { EditForm } from './EditForm';
import { useEditedAttachments } from './useEditedAttachments';
import type { EditTarget } from './editDrafts';

type EditMessageProps = {
  edited: EditTarget;
  /** Resolves to whether the message was stored. */
  onSave: (edited: Draft) => Promise<boolean>;
  onClose: () => void;
};

export function EditMessage({ edited, onSave, onClose }: EditMessageProps) {
  const box = useRef<HTMLFormElement>(null);
  const { attachments, close, ...along } = useEditedAttachments(edited);
  const isOver = useFileDrop(along.add, box);
  return (
    <EditForm
      edited={edited}
      along={{
        view: <EditedAttachmentList attachments={attachments} {...along} />,
        isEnough: attachments.length > 0,
        now: attachments,
        isChanged: along.isChanged,
        isReading: along.reading.length > 0,
        isDropTarget: isOver,
        box,
      }}
      onSave={(words) => onSave({ text: words, attachments: [...attachments] })}
      onClose={() => {
        close();
        onClose();
      }}
    />
  );
}

type EditedAttachmentsProps = Pick<
  ReturnType<typeof useEditedAttachments>,
  'attachments' | 'reading' | 'choose' | 'remove'
>;

function EditedAttachmentList({ attachments, reading, choose, remove }: EditedAttachmentsProps) {
  const text = useText();
  return (
    <ul className="EditBox-along" aria-label={text('composer.attachments')}>
      {attachments.map((part, at) => (
        // The same file may be attached twice.
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
