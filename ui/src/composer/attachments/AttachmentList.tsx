/**
 * The attachments of the draft, each with its type, size and tokens, and buttons to open and remove it.
 */
import { useState } from 'react';
import { AttachmentViewer } from '../../attachments/AttachmentViewer';
import { isDocument, useDocumentLabel } from '../../attachments/documentInfo';
import { useAttachmentImageUrl } from '../../attachments/useAttachmentImage';
import { useFormats, useText } from '../../i18n';
import type { Attachment, SessionView } from '../../ipc/bindings';
import { Icon } from '../../kit/controls/Icon';
import { IconButton } from '../../kit/controls/IconButton';
import { Spinner } from '../../kit/display/Spinner';
import { isSameModel } from '../../state/models/modelRef';
import { useModelName } from '../../state/models/useModelName';
import { useDraftSize } from '../../state/queries/estimateQueries';
import { useModels } from '../../state/queries/queries';
import './AttachmentList.css';

type AttachmentListProps = {
  view: SessionView;
  attachments: readonly Attachment[];
  /** Files that are still being read. */
  pending: readonly { id: number; name: string }[];
  onDismiss: (id: number) => void;
  onRemove: (index: number) => void;
  /** Replaces a text attachment by its text in the draft. */
  onInsertText: (attachment: Attachment) => void;
};

export function AttachmentList(props: AttachmentListProps) {
  const { view, attachments, pending, onDismiss, onRemove, onInsertText } = props;
  const text = useText();
  const nameOf = useModelName();
  const { data: models = [] } = useModels();
  if (attachments.length === 0 && pending.length === 0) return null;
  const spec = models.find(({ model }) => isSameModel(model, view.model))?.spec;
  const ignoresImages = spec?.images === false && attachments.some(({ type }) => type === 'image');
  return (
    <>
      <ul className="Attachments" aria-label={text('composer.attachments')}>
        {attachments.map((attachment, index) => (
          <AttachmentListItem
            // The same file may be attached twice.
            key={`${index}/${attachment.blob}`}
            {...{ view, attachment, onInsertText }}
            onRemove={() => {
              onRemove(index);
            }}
          />
        ))}
        {pending.map(({ id, name }) => (
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
      {ignoresImages && (
        <p className="Attachments-note" role="status">
          {text('attach.imagesIgnored', { model: nameOf(view.model) })}
        </p>
      )}
    </>
  );
}

type AttachmentListItemProps = {
  view: SessionView;
  attachment: Attachment;
  onRemove: () => void;
  onInsertText: (attachment: Attachment) => void;
};

function AttachmentListItem(props: AttachmentListItemProps) {
  const { view, attachment, onRemove, onInsertText } = props;
  const text = useText();
  const nameOf = useModelName();
  const formats = useFormats();
  const estimate = useDraftSize(view.session.id, { text: '', attachments: [attachment] });
  const imageUrl = useAttachmentImageUrl(attachment);
  const documentLabel = useDocumentLabel(attachment);
  const [open, setOpen] = useState(false);
  const size = formats.size(attachment.bytes);
  const tooLarge = (limit: string) => text('attach.tooLarge', { model: nameOf(view.model), limit });
  return (
    <li className="Attachment">
      <button
        type="button"
        className="Attachment-open"
        aria-label={text('attach.open', { name: attachment.name })}
        onClick={() => {
          setOpen(true);
        }}
      >
        {imageUrl === null ? (
          <Icon name={attachment.type} />
        ) : (
          <img className="Attachment-picture" src={imageUrl} alt="" />
        )}
        <span className="Attachment-text">
          <span className="Attachment-name" title={attachment.name}>
            {attachment.name}
          </span>
          {isDocument(attachment) && (
            <small title={text('attach.textOnlyHint')}>
              {documentLabel === null
                ? text('attach.textOnly')
                : text('attach.documentText', { document: documentLabel })}
            </small>
          )}
          {estimate ? (
            <small title={text('attach.size', { size, tokens: formats.exact(estimate.tokens) })}>
              {text('attach.size', { size, tokens: formats.tokens(estimate.tokens) })}
            </small>
          ) : (
            <small>{size}</small>
          )}
          {estimate && estimate.limit !== null && estimate.tokens > estimate.limit && (
            <small
              className="Attachment-tooLarge"
              role="status"
              title={tooLarge(formats.exact(estimate.limit))}
            >
              {tooLarge(formats.tokens(estimate.limit))}
            </small>
          )}
        </span>
      </button>
      {open && (
        <AttachmentViewer
          part={attachment}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
      {attachment.type === 'file' && attachment.mediaType === 'text/plain' && (
        <IconButton
          label={text('attach.insertText', { name: attachment.name })}
          icon="undo"
          onClick={() => {
            onInsertText(attachment);
          }}
        />
      )}
      <IconButton
        label={text('attach.remove', { name: attachment.name })}
        icon="close"
        onClick={onRemove}
      />
    </li>
  );
}
