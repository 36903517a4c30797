/**
 * Adding MCP servers: pasted in whatever dialect, and not started yet.
 */
import { useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ConfigProblem } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { Row, Stack } from '../kit/Stack';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { useUnsaved } from '../kit/unsaved';
import { spelledOut } from '../kit/unseen';
import { keys } from '../state/reading';
import { configWords } from './mcpWords';
import { useReplaced } from './mcpReplaced';
import { useAttempt } from './saving';

export function PasteServers() {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useAttempt();
  const tellOfReplaced = useReplaced();
  const { commands } = useBackend();
  const [pasted, setPasted] = useState('');
  useUnsaved(pasted.trim() !== '');
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([]);
  /** Servers of which a part was left out that is for the person to say. */
  const [asking, setAsking] = useState<readonly string[]>([]);
  const add = async () => {
    const parsed = await commands.addMcpServers(pasted);
    setProblems(parsed.problems);
    setAsking(parsed.asking);
    const count = parsed.servers.length - parsed.replaced.length;
    if (count > 0) toast({ words: text('mcp.added', { count }) });
    tellOfReplaced(parsed);
    if (parsed.problems.length === 0) setPasted('');
    await client.invalidateQueries({ queryKey: keys.tools });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        attempt(add());
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
                <li key={name}>{text('mcp.asking', { name: spelledOut(name) })}</li>
              ))}
              {problems.map((problem) => (
                <li key={JSON.stringify(problem)}>{configWords(text, problem)}</li>
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
