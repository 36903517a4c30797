/**
 * "Export": a session as a file, in a format and at a place the person chooses. Rust writes it.
 */
import { useState } from 'react';
import { useLanguage, useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ExportFormat, SessionId } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { RadioGroup } from '../../kit/fields/RadioGroup';
import { useToast } from '../../kit/notifications/Toast';
import { useReportError } from '../../state/text/useReportError';

const endings = { markdown: 'md', html: 'html', json: 'json' } as const;
const formats = ['markdown', 'html', 'json'] as const;

/** As a file may be called on every system. */
const fileName = (title: string) =>
  Array.from(title.replace(/[\s\p{Cc}\\/:*?"<>|]+/gu, ' ').trim())
    .slice(0, 80)
    .join('');

type ExportDialogProps = { sessionId: SessionId; title: string | null; onClose: () => void };

export function ExportDialog({ sessionId, title, onClose }: ExportDialogProps) {
  const text = useText();
  const language = useLanguage();
  const toast = useToast();
  const attempt = useReportError(toast);
  const { commands, desktop } = useBackend();
  const [format, setFormat] = useState<ExportFormat>('markdown');
  const name = title ?? text('threads.untitled');
  const words = {
    language,
    untitled: text('threads.untitled'),
    you: text('transcript.you'),
    assistant: text('transcript.assistant'),
    summary: text('transcript.summary'),
    notice: text('transcript.notice'),
    reasoning: text('transcript.reasoning'),
  };
  const write = async () => {
    const suggested = `${fileName(name)}.${endings[format]}`;
    const kind = { name: text(`data.format_${format}`), endings: [endings[format]] };
    const path = await desktop.pickTarget(text('data.export', { title: name }), suggested, [kind]);
    if (path === null) return;
    await commands.exportSession(sessionId, format, words, path);
    onClose();
    toast({ words: text('data.exported', { path }) });
  };
  return (
    <Dialog
      title={text('data.export', { title: name })}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              attempt(write());
            }}
          >
            {text('data.chooseTarget')}
          </Button>
        </>
      }
    >
      <RadioGroup
        label={text('data.format')}
        choices={formats.map((value) => ({
          value,
          label: text(`data.format_${value}`),
          hint: text(`data.format_${value}Hint`),
        }))}
        value={format}
        onChange={setFormat}
      />
    </Dialog>
  );
}
