/**
 * The workspace folder of the session, which its tools may read and write. It is chosen by typing its path
 * or in the desktop's file dialog; Rust checks it.
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
  const labelKey = lost ? 'folder.lostName' : 'folder.chosen';
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
          aria-label={name === undefined ? text('folder.choose') : text(labelKey, { name })}
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
  const { path: current, choose } = useSessionFolder(view);
  const [path, setPath] = useState(current ?? '');
  const [error, setError] = useState<string>();
  /** Closes the popover when the work is done; `false` (a cancelled file dialog) leaves it open. */
  const run = (work: Promise<unknown>) => {
    work.then(
      (result) => {
        if (result !== false) onDone();
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
        run(choose(path));
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
          <FolderActions view={view} browseLabel={text('folder.browse')} run={run} />
        </Row>
      </Stack>
    </form>
  );
}

type FolderActionsProps = {
  view: SessionView;
  browseLabel: string;
  /** Reports the errors of the work. */
  run: (work: Promise<unknown>) => void;
};

/** The buttons "Browse" and "No folder". */
export function FolderActions({ view, browseLabel, run }: FolderActionsProps) {
  const text = useText();
  const { path, choose, browse } = useSessionFolder(view);
  return (
    <>
      <Button
        onClick={() => {
          run(browse());
        }}
      >
        {browseLabel}
      </Button>
      {path !== null && (
        <Button
          kind="quiet"
          onClick={() => {
            run(choose(null));
          }}
        >
          {text('folder.remove')}
        </Button>
      )}
    </>
  );
}
