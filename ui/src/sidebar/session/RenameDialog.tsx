/**
 * The title of a session being written over the window: the list may be out of view.
 */
import { type ComponentProps, useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { SessionItem } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { TextField } from '../../kit/fields/TextField';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { useReportError } from '../../state/text/useReportError';

type RenameDialogProps = { session: SessionItem; onClose: () => void };

export function RenameDialog({ session, onClose }: RenameDialogProps) {
  const text = useText();
  const attempt = useReportError(useToast());
  const { commands } = useBackend();
  const before = session.title ?? '';
  const [title, setTitle] = useState(before);
  const keep = async () => {
    if (title !== before) await commands.renameSession(session.id, title);
    onClose();
  };
  return (
    <Dialog
      title={text('threads.rename')}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{text('kit.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              attempt(keep());
            }}
          >
            {text('threads.keepTitle')}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          attempt(keep());
        }}
      >
        <TitleField
          before={before}
          label={text('threads.title')}
          placeholder={session.name ?? text('threads.untitled')}
          value={title}
          onChange={setTitle}
        />
      </form>
    </Dialog>
  );
}

/** The field within the dialog, which asks before what was typed there goes. */
function TitleField({ before, ...field }: ComponentProps<typeof TextField> & { before: string }) {
  useUnsavedForm(field.value !== before);
  return <TextField {...field} />;
}
