/**
 * The question before an MCP server is started: all that would run, and one answer, taken once it has
 * stood still. A server that is configured anew is another question.
 */
import { useRef } from 'react';
import { useText } from '../i18n';
import type { McpState } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { useSettled } from '../kit/settled';
import { Shown } from '../kit/Shown';
import { spelledOut } from '../kit/unseen';

type McpConsentProps = {
  asked: Extract<McpState, { type: 'needsConsent' }>;
  onAllow: () => void;
};

const listed = (names: readonly string[]) => names.map(spelledOut).join(', ');

export function McpConsent({ asked, onAllow }: McpConsentProps) {
  const text = useText();
  const allow = useRef<HTMLButtonElement>(null);
  const { settled, answer } = useSettled(allow);
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
        <Shown words={asked.command} />
      </pre>
      {asked.environment.length > 0 && (
        <p>{text('mcp.environment', { names: listed(asked.environment) })}</p>
      )}
      {asked.unseen.length > 0 && <p>{text('mcp.unseen', { names: listed(asked.unseen) })}</p>}
    </Banner>
  );
}
