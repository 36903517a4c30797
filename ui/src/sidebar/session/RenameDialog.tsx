/**
 * Renames the open session in a dialog: the sidebar may be hidden.
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
  const reportError = useReportError(useToast());
  const { commands } = useBackend();
  const initial = session.title ?? '';
  const [title, setTitle] = useState(initial);
  const save = async () => {
    if (title !== initial) await commands.renameSession(session.id, title);
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
              reportError(save());
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
          reportError(save());
        }}
      >
        <TitleField
          initial={initial}
          label={text('threads.title')}
          placeholder={session.name ?? text('threads.untitled')}
          value={title}
          onChange={setTitle}
        />
      </form>
    </Dialog>
  );
}

/** A component of its own: the guard for unsaved input looks for the dialog around it. */
function TitleField({ initial, ...field }: ComponentProps<typeof TextField> & { initial: string }) {
  useUnsavedForm(field.value !== initial);
  return <TextField {...field} />;
}
