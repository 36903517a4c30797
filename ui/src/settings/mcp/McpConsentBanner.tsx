/**
 * Asks before an MCP server is started: the command, and the answer, which is taken only after the banner
 * has stood still. A changed configuration asks again.
 */
import { useRef } from 'react';
import { useText } from '../../i18n';
import type { McpState } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { useStablePosition } from '../../kit/a11y/useStablePosition';
import { EscapedText } from '../../kit/text/EscapedText';
import { escapeInvisible } from '../../kit/text/invisibleChars';

type McpConsentBannerProps = {
  asked: Extract<McpState, { type: 'needsConsent' }>;
  onAllow: () => void;
};

const listNames = (names: readonly string[]) => names.map(escapeInvisible).join(', ');

export function McpConsentBanner({ asked, onAllow }: McpConsentBannerProps) {
  const text = useText();
  const allow = useRef<HTMLButtonElement>(null);
  const { settled, answer } = useStablePosition(allow);
  return (
    <Banner
      kind="warning"
      actions={
        <Button
          ref={allow}
          aria-disabled={!settled}
          onClick={() => {
            answer(onAllow);
          }}
        >
          {text('mcp.allow')}
        </Button>
      }
    >
      {asked.again && <p>{text('mcp.askAgain')}</p>}
      {text('mcp.ask')}
      <pre className="Settings-text Settings-asked">
        <EscapedText words={asked.command} />
      </pre>
      {asked.environment.length > 0 && (
        <p>{text('mcp.environment', { names: listNames(asked.environment) })}</p>
      )}
      {asked.unseen.length > 0 && <p>{text('mcp.unseen', { names: listNames(asked.unseen) })}</p>}
    </Banner>
  );
}
