/**
 * Compacting by hand: first what it would do, then whether to do it and what to keep.
 */
import { useState } from 'react';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { CompactionPreview, PreviewLine, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { Row } from '../kit/Stack';
import { TextField } from '../kit/TextField';
import { useToast } from '../kit/Toast';
import { useAttempting } from '../state/attempt';
import './Compaction.css';

export function CompactButton({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const attempt = useAttempting(useToast());
  const { commands } = useBackend();
  const [preview, setPreview] = useState<CompactionPreview | null>(null);
  const [keep, setKeep] = useState('');
  if (!preview) {
    return (
      <Button
        icon="compress"
        onClick={() => {
          attempt(commands.previewCompaction(sessionId).then(setPreview));
        }}
      >
        {text('context.compact')}
      </Button>
    );
  }
  return (
    <div className="CompactPreview" role="group" aria-label={text('context.compact')}>
      <p>
        {text('compaction.before', {
          before: formats.exact(preview.before),
          after: formats.exact(preview.after),
          summary: formats.exact(preview.summary),
          facts: formats.exact(preview.facts),
        })}
      </p>
      <Disclosure label={text('compaction.covers', { count: preview.covers.length })}>
        <PreviewLines lines={preview.covers} />
      </Disclosure>
      <Disclosure label={text('compaction.keeps', { count: preview.keeps.length })}>
        <PreviewLines lines={preview.keeps} />
      </Disclosure>
      {preview.model && <p>{text('compaction.writtenBy', { model: preview.model.model })}</p>}
      <TextField label={text('context.keep')} value={keep} onChange={setKeep} />
      <Row>
        <Button
          onClick={() => {
            setPreview(null);
          }}
        >
          {text('kit.cancel')}
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            setPreview(null);
            attempt(commands.compact(sessionId, keep === '' ? null : keep));
          }}
        >
          {text('context.compactNow')}
        </Button>
      </Row>
    </div>
  );
}

function PreviewLines({ lines }: { lines: PreviewLine[] }) {
  const text = useText();
  return (
    <ol className="PreviewLines">
      {lines.map((line) => (
        <li key={line.messageId}>
          <small>
            {line.number} · {text(line.role === 'user' ? 'transcript.you' : 'transcript.assistant')}
            {line.pinned && ` · ${text('compaction.pinned')}`}
          </small>{' '}
          {line.words === '' ? text('compaction.wordless') : line.words}
        </li>
      ))}
    </ol>
  );
}
