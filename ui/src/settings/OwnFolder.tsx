/**
 * Where the person's own files are that Skein reads, and a way there.
 */
import { useText } from '../i18n';
import { Button } from '../kit/Button';
import { Row } from '../kit/Stack';
import { useToast } from '../kit/Toast';
import { usePlaces } from '../state/reading';
import { useShowing } from '../state/showing';

/** Where what holds for every session is written. */
export function OwnFolder() {
  const text = useText();
  const { data: places } = usePlaces();
  return places ? <FolderRow label={text('settings.ownFolder')} path={places.config} /> : null;
}

export function FolderRow({ label, path }: { label: string; path: string }) {
  const show = useShowing(useToast());
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
