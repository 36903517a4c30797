/**
 * An attachment as it is: a picture at its size, a text whole, in stretches, for it may be megabytes.
 * Rendered only while it is open.
 */
import { useState } from 'react';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import { Button } from '../kit/Button';
import { CopyButton } from '../kit/CopyButton';
import { Dialog } from '../kit/Dialog';
import { Row } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import { usePicture, type Attachment } from './picture';
import './AttachmentViewer.css';

/** Characters in one stretch. */
const stretch = 100_000;

type AttachmentViewerProps = { part: Attachment; onClose: () => void };

export function AttachmentViewer({ part, onClose }: AttachmentViewerProps) {
  const text = useText();
  const formats = useFormats();
  const { commands, desktop } = useBackend();
  const toast = useToast();
  const attempt = useAttempting(toast);
  const [stretches, setStretches] = useState(1);
  const words = part.type === 'file' ? part.text : '';
  const save = async () => {
    const path = await desktop.pickTarget(text('attach.save', { name: part.name }), part.name, []);
    if (path === null) return;
    await commands.saveAttachment(part.blob, path);
    toast({ words: text('attach.saved', { path }) });
  };
  return (
    <Dialog
      title={part.name}
      size="full"
      onClose={onClose}
      actions={
        <Row>
          <span>{formats.size(part.bytes)}</span>
          {words.length > stretches * stretch && (
            <Button
              onClick={() => {
                setStretches(stretches + 1);
              }}
            >
              {text('attach.showMore')}
            </Button>
          )}
          {part.type === 'file' && (
            <CopyButton worded label={text('kit.copy')} copy={() => desktop.copyText(words)} />
          )}
          <Button
            icon="download"
            onClick={() => {
              attempt(save());
            }}
          >
            {text('attach.saveAs')}
          </Button>
        </Row>
      }
    >
      {part.type === 'image' ? (
        <Picture part={part} />
      ) : (
        Array.from({ length: stretches }, (_, at) => (
          <pre key={at} className="AttachmentViewer-words" dir="auto">
            {words.slice(at * stretch, (at + 1) * stretch)}
          </pre>
        ))
      )}
    </Dialog>
  );
}

function Picture({ part }: { part: Attachment }) {
  const picture = usePicture(part);
  return picture && <img className="AttachmentViewer-picture" src={picture} alt={part.name} />;
}
