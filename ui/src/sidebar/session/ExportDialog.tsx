/**
 * "Export": saves a session as a file. The user chooses the format and the path; Rust writes the file.
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

const extensions = { markdown: 'md', html: 'html', json: 'json' } as const;
const formats = ['markdown', 'html', 'json'] as const;

/** Without the characters that a system forbids in file names. */
const fileName = (title: string) =>
  Array.from(title.replace(/[\s\p{Cc}\\/:*?"<>|]+/gu, ' ').trim())
    .slice(0, 80)
    .join('');

type ExportDialogProps = { sessionId: SessionId; title: string | null; onClose: () => void };

export function ExportDialog({ sessionId, title, onClose }: ExportDialogProps) {
  const text = useText();
  const language = useLanguage();
  const toast = useToast();
  const reportError = useReportError(toast);
  const { commands, desktop } = useBackend();
  const [format, setFormat] = useState<ExportFormat>('markdown');
  const name = title ?? text('threads.untitled');
  const labels = {
    language,
    untitled: text('threads.untitled'),
    you: text('transcript.you'),
    assistant: text('transcript.assistant'),
    summary: text('transcript.summary'),
    notice: text('transcript.notice'),
    reasoning: text('transcript.reasoning'),
  };
  const exportSession = async () => {
    const suggested = `${fileName(name)}.${extensions[format]}`;
    const kind = { name: text(`data.format_${format}`), endings: [extensions[format]] };
    const path = await desktop.pickTarget(text('data.export', { title: name }), suggested, [kind]);
    if (path === null) return;
    await commands.exportSession(sessionId, format, labels, path);
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
              reportError(exportSession());
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
