/**
 * The folder this session's tools may touch: quiet in the box's edge, chosen by typing its path or in
 * the desktop's own dialog. Whether it can be one is decided in Rust.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { SessionView } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Popover } from '../../kit/layers/Popover';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { errorText, toAppError } from '../../state/text/errorText';
import { useSessionFolder, useSessionFolderError } from './useSessionFolder';

export function FolderButton({ view }: { view: SessionView }) {
  const text = useText();
  const [open, setOpen] = useState(false);
  const { folder } = view.session.overrides;
  const lost = useSessionFolderError(view) !== null;
  const name = folder?.split(/[\\/]/).findLast((part) => part !== '');
  const said = lost ? 'folder.lostName' : 'folder.chosen';
  return (
    <Popover
      label={text('folder.title')}
      open={open}
      onOpenChange={setOpen}
      trigger={
        <Button
          kind="quiet"
          icon={lost ? 'warning' : 'folder'}
          title={folder ?? text('folder.choose')}
          aria-label={name === undefined ? text('folder.choose') : text(said, { name })}
        >
          {name !== undefined && (
            <span className="Composer-folder" data-wide>
              {name}
            </span>
          )}
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
  const { path: before, choose } = useSessionFolder(view);
  const [path, setPath] = useState(before ?? '');
  const [error, setError] = useState<string>();
  /** Closes when it is done; what was picked by nobody leaves it open. */
  const attempt = (work: Promise<unknown>) => {
    work.then(
      (done) => {
        if (done !== false) onDone();
      },
      (thrown: unknown) => {
        setError(errorText(text, toAppError(thrown)));
      },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(choose(path));
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
          <FolderActions view={view} browseWords={text('folder.browse')} attempt={attempt} />
        </Row>
      </Stack>
    </form>
  );
}

type FolderActionsProps = {
  view: SessionView;
  browseWords: string;
  attempt: (work: Promise<unknown>) => void;
};

/** What can be chosen instead of typing a path. */
export function FolderActions({ view, browseWords, attempt }: FolderActionsProps) {
  const text = useText();
  const { path, choose, browse } = useSessionFolder(view);
  return (
    <>
      <Button
        onClick={() => {
          attempt(browse());
        }}
      >
        {browseWords}
      </Button>
      {path !== null && (
        <Button
          kind="quiet"
          onClick={() => {
            attempt(choose(null));
          }}
        >
          {text('folder.remove')}
        </Button>
      )}
    </>
  );
}
