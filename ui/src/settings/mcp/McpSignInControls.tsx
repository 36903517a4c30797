/**
 * Signs in to an MCP server, and out. The browser opens only when the user presses the button. The state of
 * a sign-in is the server's: it continues after the settings have closed.
 */
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { McpServerStatus } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Row } from '../../kit/display/Stack';
import { toAppError } from '../../state/text/errorText';

type McpSignInControlsProps = { server: McpServerStatus; then: (work: Promise<unknown>) => void };

export function McpSignInControls({ server, then }: McpSignInControlsProps) {
  const text = useText();
  const { commands } = useBackend();
  return (
    <>
      <SignInStatus server={server} then={then} />
      {server.signedIn && (
        <Button
          onClick={() => {
            then(commands.signOutMcpServer(server.name));
          }}
        >
          {text('mcp.signOut')}
        </Button>
      )}
    </>
  );
}

function SignInStatus({ server: { name, signIn }, then }: McpSignInControlsProps) {
  const text = useText();
  const { commands } = useBackend();
  switch (signIn.type) {
    case 'notAsked':
      return null;
    case 'waiting':
      return (
        <Row>
          <span role="status">{text('mcp.signingIn')}</span>
          <Button
            kind="quiet"
            onClick={() => {
              then(commands.cancelMcpSignIn(name));
            }}
          >
            {text('mcp.signInStop')}
          </Button>
        </Row>
      );
    case 'offered':
      return (
        <Button
          kind="primary"
          onClick={() => {
            const words = {
              done: text('mcp.signedInPage'),
              failed: text('mcp.notSignedInPage'),
            };
            then(commands.signInMcpServer(name, words).catch(ignoreCancelled));
          }}
        >
          {text('mcp.signIn')}
        </Button>
      );
  }
}

/** A sign-in that the user cancelled shows no error. */
function ignoreCancelled(thrown: unknown) {
  const fault = toAppError(thrown);
  if (fault.kind !== 'notSignedIn' || fault.reason.type !== 'cancelled') throw thrown;
}
