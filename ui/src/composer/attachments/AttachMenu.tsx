/**
 * "Attach": files, and what MCP servers have to attach. Without such a server it is one button.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import type { McpServerStatus } from '../../ipc/bindings';
import { IconButton } from '../../kit/controls/IconButton';
import { Menu, MenuItem } from '../../kit/controls/Menu';
import { useServersWithResources } from '../../state/queries/mcpQueries';
import { ResourceDialog } from './ResourceDialog';

/** They open the files at once (ComposerShortcuts.tsx). */
const keysOfAttach = 'Mod+U';

type AttachMenuProps = {
  onFiles: () => void;
  onFromServer: (server: string, uri: string) => void;
};

export function AttachMenu({ onFiles, onFromServer }: AttachMenuProps) {
  const text = useText();
  const servers = useServersWithResources();
  const [from, setFrom] = useState<McpServerStatus | null>(null);
  if (servers.length === 0) {
    return (
      <IconButton
        label={text('composer.attach')}
        icon="attach"
        keys={keysOfAttach}
        onClick={onFiles}
      />
    );
  }
  return (
    <>
      <Menu
        trigger={<IconButton label={text('composer.attach')} icon="attach" keys={keysOfAttach} />}
      >
        <MenuItem icon="file" onSelect={onFiles}>
          {text('attach.files')}
        </MenuItem>
        {servers.map((server) => (
          <MenuItem
            key={server.name}
            icon="tool"
            onSelect={() => {
              setFrom(server);
            }}
          >
            {text('attach.from', { server: server.name })}
          </MenuItem>
        ))}
      </Menu>
      {from && (
        <ResourceDialog
          server={from}
          onClose={() => {
            setFrom(null);
          }}
          onChosen={(uri) => {
            setFrom(null);
            onFromServer(from.name, uri);
          }}
        />
      )}
    </>
  );
}
