/**
 * "Tools and MCP": servers are pasted in whatever dialect, and run only after the person has seen
 * what would run.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ConfigProblem } from '../ipc/bindings';
import { Banner } from '../kit/Banner';
import { Button } from '../kit/Button';
import { Row, Stack } from '../kit/Stack';
import { TextArea } from '../kit/TextArea';
import { useToast } from '../kit/Toast';
import { keys } from '../state/reading';
import { McpServer } from './McpServer';
import { configWords } from './mcpWords';
import { useAttempt } from './saving';

export function ToolsPage() {
  const text = useText();
  const { commands } = useBackend();
  const { data: servers } = useQuery({
    queryKey: [...keys.tools, 'mcp'],
    queryFn: () => commands.mcpServers(),
  });
  return (
    <Stack>
      <PasteServers />
      <section aria-label={text('settings.mcpServers')}>
        <h3>{text('settings.mcpServers')}</h3>
        {servers?.length === 0 && <p>{text('settings.mcpNone')}</p>}
        <ul className="Settings-list">
          {servers?.map((server) => (
            <li key={server.name}>
              <McpServer server={server} />
            </li>
          ))}
        </ul>
      </section>
    </Stack>
  );
}

function PasteServers() {
  const text = useText();
  const toast = useToast();
  const client = useQueryClient();
  const attempt = useAttempt();
  const { commands } = useBackend();
  const [pasted, setPasted] = useState('');
  const [problems, setProblems] = useState<readonly ConfigProblem[]>([]);
  const add = async () => {
    const parsed = await commands.addMcpServers(pasted);
    setProblems(parsed.problems);
    if (parsed.servers.length > 0) {
      toast({ words: text('settings.mcpAdded', { count: parsed.servers.length }) });
    }
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
          label={text('settings.mcpPaste')}
          hint={text('settings.mcpPasteHint')}
          spellCheck={false}
          rows={6}
          value={pasted}
          onChange={setPasted}
        />
        {problems.length > 0 && (
          <Banner kind="warning">
            <ul className="Settings-problems">
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
