/**
 * The folder this session's tools may touch: quiet in the box's edge, chosen by typing its path or in
 * the desktop's own dialog. Whether it can be one is decided in Rust.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { SessionView } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Popover } from '../kit/Popover';
import { Row, Stack } from '../kit/Stack';
import { TextField } from '../kit/TextField';
import { asFault } from '../state/actions';
import { faultWords } from '../state/faults';

export function FolderButton({ view }: { view: SessionView }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const { folder } = view.session.overrides;
  const name = folder?.split(/[\\/]/).findLast((part) => part !== '');
  return (
    <Popover
      label={text('folder.title')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          kind="quiet"
          icon="folder"
          title={folder ?? text('folder.choose')}
          aria-label={name === undefined ? text('folder.choose') : text('folder.chosen', { name })}
        >
          {name}
        </Button>
      }
    >
      <FolderForm
        view={view}
        onDone={() => {
          setOpen(false);
        }}
      />
    </Popover>
  );
}

function FolderForm({ view, onDone }: { view: SessionView; onDone: () => void }) {
  const text = useText();
  const { commands, desktop } = useBackend();
  const { overrides, id } = view.session;
  const before = overrides.folder ?? null;
  const [path, setPath] = useState(before ?? '');
  const [error, setError] = useState<string>();
  const choose = async (folder: string | null) => {
    try {
      await commands.setOverrides(id, { ...overrides, folder });
      onDone();
    } catch (thrown) {
      setError(faultWords(text, asFault(thrown)));
    }
  };
  const browse = async () => {
    const picked = await desktop.pickFolder(text('folder.title'));
    if (picked !== null) await choose(picked);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void choose(path);
      }}
    >
      <Stack>
        <TextField
          label={text('folder.path')}
          hint={text('folder.hint')}
          error={error}
          value={path}
          onChange={(typed) => {
            setPath(typed);
            setError(undefined);
          }}
        />
        <Row>
          <Button submit kind="primary" disabled={path.trim() === ''}>
            {text('folder.use')}
          </Button>
          <Button onClick={() => void browse()}>{text('folder.browse')}</Button>
          {before !== null && (
            <Button kind="quiet" onClick={() => void choose(null)}>
              {text('folder.remove')}
            </Button>
          )}
        </Row>
      </Stack>
    </form>
  );
}
