/**
 * Compacting by hand: first what it would do, then whether to do it and what to keep.
 */
import { useState } from 'react';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { CompactionPreview, SessionId } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { TextField } from '../kit/TextField';
import { useToast } from '../kit/Toast';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';

export function CompactButton({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const toast = useToast();
  const { commands } = useBackend();
  const [preview, setPreview] = useState<CompactionPreview | null>(null);
  const [keep, setKeep] = useState('');
  const attempt = (work: Promise<unknown>) => {
    work.catch((thrown: unknown) => {
      toast({ words: faultWords(text, asFault(thrown)), failed: true });
    });
  };
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
    <div className="ContextDialog-preview">
      <p>
        {text('context.preview', {
          before: formats.exact(preview.before),
          after: formats.exact(preview.after),
          covers: preview.covers,
          keeps: preview.keeps,
        })}
      </p>
      <TextField label={text('context.keep')} value={keep} onChange={setKeep} />
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
    </div>
  );
}
