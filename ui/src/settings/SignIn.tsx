/**
 * Signing in to an MCP server that wants it, and out again. The browser opens when the person presses
 * the button, and at no other time.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { McpServerStatus } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Row } from '../kit/Stack';

type SignInProps = { server: McpServerStatus; then: (work: Promise<unknown>) => void };

export function SignIn({ server: { name, signIn }, then }: SignInProps) {
  const text = useText();
  const { commands } = useBackend();
  const [waits, setWaits] = useState(false);
  if (signIn.type === 'notAsked') return null;
  if (signIn.type === 'done')
    return (
      <Button
        onClick={() => {
          then(commands.signOutMcpServer(name));
        }}
      >
        {text('settings.mcpSignOut')}
      </Button>
    );
  if (waits)
    return (
      <Row>
        <span role="status">{text('settings.mcpSigningIn')}</span>
        <Button
          kind="quiet"
          onClick={() => {
            then(commands.cancelMcpSignIn(name));
          }}
        >
          {text('settings.mcpSignInStop')}
        </Button>
      </Row>
    );
  return (
    <Button
      kind="primary"
      onClick={() => {
        setWaits(true);
        const words = {
          done: text('settings.mcpSignedInPage'),
          failed: text('settings.mcpNotSignedInPage'),
        };
        then(
          commands.signInMcpServer(name, words).finally(() => {
            setWaits(false);
          }),
        );
      }}
    >
      {text('settings.mcpSignIn')}
    </Button>
  );
}
