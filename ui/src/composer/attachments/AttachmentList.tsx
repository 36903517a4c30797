/**
 * What goes with the message: what it is, what it takes of the context, and the ways to take it out
 * again.
 */
import { useState } from 'react';
import { AttachmentViewer } from '../../attachments/AttachmentViewer';
import { isDocument, useDocumentLabel } from '../../attachments/documentInfo';
import { useAttachmentImageUrl } from '../../attachments/useAttachmentImage';
import { useFormats, useText } from '../../i18n';
import type { Attachment as Part, SessionView } from '../../ipc/bindings';
import { Icon } from '../../kit/controls/Icon';
import { IconButton } from '../../kit/controls/IconButton';
import { Spinner } from '../../kit/display/Spinner';
import { isSameModel } from '../../state/models/modelRef';
import { useModelName } from '../../state/models/useModelName';
import { useDraftSize, useModels } from '../../state/queries/queries';
import './AttachmentList.css';

type AttachmentListProps = {
  view: SessionView;
  parts: readonly Part[];
  /** What is on its way into the box. */
  reading: readonly { id: number; name: string }[];
  onDismiss: (id: number) => void;
  onRemove: (at: number) => void;
  /** Its words go into the box instead. */
  onPutBack: (part: Part) => void;
};

export function AttachmentList(props: AttachmentListProps) {
  const { view, parts, reading, onDismiss, onRemove, onPutBack } = props;
  const text = useText();
  const nameOf = useModelName();
  const { data: models = [] } = useModels();
  if (parts.length === 0 && reading.length === 0) return null;
  const spec = models.find(({ model }) => isSameModel(model, view.model))?.spec;
  const unseen = spec?.images === false && parts.some(({ type }) => type === 'image');
  return (
    <>
      <ul className="Attachments" aria-label={text('composer.attachments')}>
        {parts.map((part, at) => (
          <AttachmentListItem
            // The same file may be there twice.
            key={`${at}/${part.blob}`}
            {...{ view, part, onPutBack }}
            onRemove={() => {
              onRemove(at);
            }}
          />
        ))}
        {reading.map(({ id, name }) => (
          <li key={id} className="Attachment" aria-busy>
            <Spinner>{text('attach.reading', { name })}</Spinner>
            <IconButton
              label={text('attach.stopReading', { name })}
              icon="close"
              onClick={() => {
                onDismiss(id);
              }}
            />
          </li>
        ))}
      </ul>
      {unseen && (
        <p className="Attachments-note" role="status">
          {text('attach.unseen', { model: nameOf(view.model) })}
        </p>
      )}
    </>
  );
}

type AttachmentListItemProps = {
  view: SessionView;
  part: Part;
  onRemove: () => void;
  onPutBack: (part: Part) => void;
};

function AttachmentListItem({ view, part, onRemove, onPutBack }: AttachmentListItemProps) {
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const alone = useDraftSize(view.session.id, { text: '', attachments: [part] });
  const picture = useAttachmentImageUrl(part);
  const document = useDocumentLabel(part);
  const [open, setOpen] = useState(false);
  const size = formats.size(part.bytes);
  const tooLarge = (limit: string) => text('attach.tooLarge', { model: nameOf(view.model), limit });
  return (
    <li className="Attachment">
      <button
        type="button"
        className="Attachment-open"
        aria-label={text('attach.open', { name: part.name })}
        onClick={() => {
          setOpen(true);
        }}
      >
        {picture === null ? (
          <Icon name={part.type} />
        ) : (
          <img className="Attachment-picture" src={picture} alt="" />
        )}
        <span className="Attachment-words">
          <span className="Attachment-name" title={part.name}>
            {part.name}
          </span>
          {isDocument(part) && (
            <small title={text('attach.textOnlyHint')}>
              {document === null
                ? text('attach.textOnly')
                : text('attach.documentText', { document })}
            </small>
          )}
          {alone ? (
            <small title={text('attach.size', { size, tokens: formats.exact(alone.tokens) })}>
              {text('attach.size', { size, tokens: formats.tokens(alone.tokens) })}
            </small>
          ) : (
            <small>{size}</small>
          )}
          {alone && alone.limit !== null && alone.tokens > alone.limit && (
            <small
              className="Attachment-tooLarge"
              role="status"
              title={tooLarge(formats.exact(alone.limit))}
            >
              {tooLarge(formats.tokens(alone.limit))}
            </small>
          )}
        </span>
      </button>
      {open && (
        <AttachmentViewer
          part={part}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
      {part.type === 'file' && part.mediaType === 'text/plain' && (
        <IconButton
          label={text('attach.putBack', { name: part.name })}
          icon="undo"
          onClick={() => {
            onPutBack(part);
          }}
        />
      )}
      <IconButton
        label={text('attach.remove', { name: part.name })}
        icon="close"
        onClick={onRemove}
      />
    </li>
  );
}
