/**
 * The resources of one MCP server, filtered by typing and attached by a click.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { McpServerStatus } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { SearchBox } from '../../kit/fields/SearchBox';
import { Stack } from '../../kit/display/Stack';
import './ResourceDialog.css';

type ResourceDialogProps = {
  server: McpServerStatus;
  onClose: () => void;
  onChosen: (uri: string) => void;
};

export function ResourceDialog({ server, onClose, onChosen }: ResourceDialogProps) {
  const text = useText();
  const [query, setQuery] = useState('');
  const lowerQuery = query.toLowerCase();
  const matches = server.resources.filter(({ name, uri }) =>
    `${name} ${uri}`.toLowerCase().includes(lowerQuery),
  );
  return (
    <Dialog title={text('attach.resources', { server: server.name })} onClose={onClose} size="wide">
      <Stack>
        <SearchBox label={text('attach.find')} value={query} onChange={setQuery} />
        {matches.length === 0 && <p>{text('attach.none')}</p>}
        <ul className="ResourceDialog">
          {matches.map(({ uri, name, description }) => (
            <li key={uri}>
              <Button
                kind="quiet"
                icon="file"
                aria-label={text('attach.attach', { name })}
                onClick={() => {
                  onChosen(uri);
                }}
              >
                {name}
              </Button>
              <span title={description ?? uri}>{description ?? uri}</span>
            </li>
          ))}
        </ul>
      </Stack>
    </Dialog>
  );
}
