/**
 * Shows an attachment: an image, or a text in portions, for it may have megabytes. Rendered only while it
 * is open.
 */
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { Attachment } from '../ipc/bindings';
import { Button } from '../kit/controls/Button';
import { CopyButton } from '../kit/notifications/CopyButton';
import { Dialog } from '../kit/overlays/Dialog';
import { LazyDialog } from '../kit/overlays/LazyDialog';
import { chunkText } from '../kit/text/chunkText';
import { Spinner } from '../kit/display/Spinner';
import { Row } from '../kit/display/Stack';
import { useToast } from '../kit/notifications/Toast';
import { useReportError } from '../state/text/useReportError';
import { useDocumentLabel } from './documentInfo';
import { useAttachmentImage } from './useAttachmentImage';
import { ImageDialog } from './ImageDialog';
import './AttachmentViewer.css';

/** The maximum length of a portion, in characters. */
const textPageChars = 100_000;

type AttachmentViewerProps = { part: Attachment; onClose: () => void };

export function AttachmentViewer({ part, onClose }: AttachmentViewerProps) {
  return part.type === 'image' ? (
    <ImageViewer {...{ part, onClose }} />
  ) : (
    <LazyDialog title={part.name} size="full" onClose={onClose}>
      <TextViewer {...{ part, onClose }} />
    </LazyDialog>
  );
}

type AttachmentKindProps<Type> = { part: Extract<Attachment, { type: Type }>; onClose: () => void };

function ImageViewer({ part, onClose }: AttachmentKindProps<'image'>) {
  const formats = useFormats();
  const picture = useAttachmentImage(part);
  return (
    <ImageDialog
      name={part.name}
      {...picture}
      before={<span>{formats.size(part.bytes)}</span>}
      behind={<SaveButton part={part} />}
      onClose={onClose}
    />
  );
}

function TextViewer({ part, onClose }: AttachmentKindProps<'file'>) {
  const text = useText();
  const formats = useFormats();
  const { commands, desktop } = useBackend();
  const [shown, setShown] = useState(1);
  const { data: words } = useQuery({
    queryKey: ['attachedText', part.blob],
    queryFn: () => commands.attachedText(part.blob, part.name),
    gcTime: 10_000,
  });
  const document = useDocumentLabel(part);
  const stretches = useMemo(() => chunkText(words ?? '', textPageChars), [words]);
  return (
    <Dialog
      title={part.name}
      size="full"
      onClose={onClose}
      actions={
        <Row>
          <span>
            {[...(document === null ? [] : [document]), formats.size(part.bytes)].join(' · ')}
          </span>
          {stretches.length > shown && (
            <Button
              onClick={() => {
                setShown(shown + 1);
              }}
            >
              {text('attach.showMore')}
            </Button>
          )}
          {words !== undefined && (
            <CopyButton worded label={text('kit.copy')} copy={() => desktop.copyText(words)} />
          )}
          <SaveButton part={part} />
        </Row>
      }
    >
      {words === undefined && <Spinner>{text('kit.loading')}</Spinner>}
      {/* One text element: a copied selection has no break where a portion ends. */}
      <pre className="AttachmentViewer-words" dir="auto">
        {stretches.slice(0, shown).map((piece, at) => (
          <span key={at}>{piece}</span>
        ))}
      </pre>
    </Dialog>
  );
}

function SaveButton({ part }: { part: Attachment }) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const toast = useToast();
  const reportError = useReportError(toast);
  const save = async () => {
    const path = await desktop.pickTarget(text('attach.save', { name: part.name }), part.name, []);
    if (path === null) return;
    await commands.saveAttachment(part.blob, path);
    toast({ words: text('attach.saved', { path }) });
  };
  return (
    <Button
      icon="download"
      onClick={() => {
        reportError(save());
      }}
    >
      {text('attach.saveAs')}
    </Button>
  );
}
