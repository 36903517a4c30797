/**
 * Shows the whole configuration of an MCP server that a link suggests. Nothing is added before the
 * user agrees.
 */
import { useRef } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { DeepLink } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Dialog } from '../../kit/overlays/Dialog';
import { useStablePosition } from '../../kit/a11y/useStablePosition';
import { EscapedText } from '../../kit/text/EscapedText';
import { Stack } from '../../kit/display/Stack';
import { useToast } from '../../kit/notifications/Toast';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { useReplacedServersToast } from '../../settings/mcp/useReplacedServersToast';
import { errorText, toAppError } from '../../state/text/errorText';

/** An MCP server that a link suggests. */
export type InstallServerLink = Extract<DeepLink, { type: 'installServer' }>;

type InstallServerDialogProps = {
  suggestion: InstallServerLink;
  onClose: () => void;
  onAdded: () => void;
};

export function InstallServerDialog({ suggestion, onClose, onAdded }: InstallServerDialogProps) {
  const text = useText();
  const toast = useToast();
  const tellOfReplaced = useReplacedServersToast();
  const { commands } = useBackend();
  const yes = useRef<HTMLButtonElement>(null);
  const { settled, answer } = useStablePosition(yes);
  const add = async () => {
    try {
      const added = await commands.addMcpServers(suggestion.pasted);
      if (added.servers.length > 0) {
        tellOfReplaced(added);
        for (const name of added.asking)
          toast({ words: text('mcp.asking', { name: escapeInvisible(name) }) });
        onAdded();
        return;
      }
      toast({ words: text('app.linkUnreadable'), failed: true });
    } catch (thrown) {
      toast({ words: errorText(text, toAppError(thrown)), failed: true });
    }
    onClose();
  };
  return (
    <Dialog
      title={text('app.installTitle', { name: escapeInvisible(suggestion.name) })}
      onClose={onClose}
      actions={
        <>
          {/* It came by a link, perhaps while somebody types: the key that is pressed next adds nothing. */}
          <Button data-initial-focus onClick={onClose}>
            {text('kit.cancel')}
          </Button>
          <Button
            ref={yes}
            kind="primary"
            aria-disabled={!settled}
            onClick={() => {
              answer(() => void add());
            }}
          >
            {text('app.installAdd')}
          </Button>
        </>
      }
    >
      <Stack>
        <p>{text('app.installAsk')}</p>
        <pre className="InstallDialog-config">
          <EscapedText words={suggestion.pasted} />
        </pre>
      </Stack>
    </Dialog>
  );
}
