/**
 * Adds MCP servers from a pasted configuration in any dialect. They are not started.
 */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { ConfigProblem } from '../../ipc/bindings';
import { Banner } from '../../kit/display/Banner';
import { Button } from '../../kit/controls/Button';
import { Row, Stack } from '../../kit/display/Stack';
import { TextArea } from '../../kit/fields/TextArea';
import { useToast } from '../../kit/notifications/Toast';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { escapeInvisible } from '../../kit/text/invisibleChars';
import { queryKeys } from '../../state/queries/queries';
import { configProblemText } from './mcpText';
import { useReplacedServersToast } from './useReplacedServersToast';
import { useReportErrorToast } from '../useSaveSettings';

export function AddMcpServers() {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const reportError = useReportErrorToast();
  const tellOfReplaced = useReplacedServersToast();
  const { commands } = useBackend();
  const [pasted, setPasted] = useState('');
  useUnsavedForm(pasted.trim() !== '');
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([]);
  /** Servers of which a part was left out that the user must enter. */
  const [asking, setAsking] = useState<readonly string[]>([]);
  const add = async () => {
    const parsed = await commands.addMcpServers(pasted);
    setProblems(parsed.problems);
    setAsking(parsed.asking);
    const count = parsed.servers.length - parsed.replaced.length;
    if (count > 0) toast({ words: text('mcp.added', { count }) });
    tellOfReplaced(parsed);
    if (parsed.problems.length === 0) setPasted('');
    await client.invalidateQueries({ queryKey: queryKeys.tools });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reportError(add());
      }}
    >
      <Stack>
        <TextArea
          label={text('mcp.paste')}
          hint={text('mcp.pasteHint')}
          spellCheck={false}
          rows={6}
          value={pasted}
          onChange={setPasted}
        />
        {problems.length + asking.length > 0 && (
          <Banner kind="warning">
            <ul className="Settings-problems">
              {asking.map((name) => (
                <li key={name}>{text('mcp.asking', { name: escapeInvisible(name) })}</li>
              ))}
              {problems.map((problem) => (
                <li key={JSON.stringify(problem)}>{configProblemText(text, problem)}</li>
              ))}
            </ul>
          </Banner>
        )}
        <Row>
          <Button submit disabled={pasted.trim() === ''}>
            {text('settings.add')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
