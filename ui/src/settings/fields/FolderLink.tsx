/**
 * The path of a folder with the user's own files, and a button that opens it.
 */
import { useText } from '../../i18n';
import { Button } from '../../kit/controls/Button';
import { Row } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { useDataPaths } from '../../state/queries/queries';
import { useRevealFile } from '../../state/app/useRevealFile';

/** The folder of instructions for all sessions. */
export function ConfigFolderLink() {
  const text = useText();
  const { data: places } = useDataPaths();
  return places ? <FolderLink label={text('settings.ownFolder')} path={places.config} /> : null;
}

export function FolderLink({ label, path }: { label: string; path: string }) {
  const show = useRevealFile(useToast());
  return (
    <Row>
      <Button
        icon="folder"
        onClick={() => {
          show(path);
        }}
      >
        {label}
      </Button>
      <span className="Settings-path Settings-quiet">{path}</span>
    </Row>
  );
}
