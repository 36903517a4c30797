/**
 * "Attach": files, and the resources of MCP servers. Without a server that has resources it is one button.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { McpServerStatus } from '../../ipc/bindings';
import { IconButton } from '../../kit/controls/IconButton';
import { Menu, MenuItem } from '../../kit/controls/Menu';
import { useServersWithResources } from '../../state/queries/mcpQueries';
import { ResourceDialog } from './ResourceDialog';

/** The shortcut opens the file dialog without the menu (ComposerShortcuts.tsx). */
const attachKeys = 'Mod+U';

type AttachMenuProps = {
  onFiles: () => void;
  onFromServer: (server: string, uri: string) => void;
};

export function AttachMenu({ onFiles, onFromServer }: AttachMenuProps) {
  const text = useText();
  const servers = useServersWithResources();
  const [chosenServer, setChosenServer] = useState<McpServerStatus | null>(null);
  if (servers.length === 0) {
    return (
      <IconButton
        label={text('composer.attach')}
        icon="attach"
        keys={attachKeys}
        onClick={onFiles}
      />
    );
  }
  return (
    <>
      <Menu
        trigger={<IconButton label={text('composer.attach')} icon="attach" keys={attachKeys} />}
      >
        <MenuItem icon="file" onSelect={onFiles}>
          {text('attach.files')}
        </MenuItem>
        {servers.map((server) => (
          <MenuItem
            key={server.name}
            icon="tool"
            onSelect={() => {
              setChosenServer(server);
            }}
          >
            {text('attach.from', { server: server.name })}
          </MenuItem>
        ))}
      </Menu>
      {chosenServer && (
        <ResourceDialog
          server={chosenServer}
          onClose={() => {
            setChosenServer(null);
          }}
          onChosen={(uri) => {
            setChosenServer(null);
            onFromServer(chosenServer.name, uri);
          }}
        />
      )}
    </>
  );
}
