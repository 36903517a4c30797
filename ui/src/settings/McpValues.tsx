/**
 * The keys and values that a server's configuration names. They go in and never come back; the one that is
 * nowhere is asked for at once, the others can be given anew.
 */
import { useState } from 'react';
import { useText } from '../i18n';
import { useBackend } from '../ipc';
import type { McpServerStatus } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { Disclosure } from '../kit/Disclosure';
import { Row, Stack } from '../kit/Stack';
import { TextField } from '../kit/TextField';
import { useUnsaved } from '../kit/unsaved';
import { valueWords } from './mcpWords';

type McpValuesProps = { server: McpServerStatus; then: (work: Promise<unknown>) => void };

export function McpValues({ server, then }: McpValuesProps) {
  const text = useText();
  const { state, values } = server;
  const missing =
    state.type === 'failed' && state.fault.type === 'valueMissing' ? state.fault.name : null;
  const field = (name: string) => <Value key={name} {...{ server, name, then }} />;
  const others = values.filter((name) => name !== missing);
  return (
    <>
      {values.filter((name) => name === missing).map(field)}
      {others.length > 0 && <Disclosure label={text('mcp.values')}>{others.map(field)}</Disclosure>}
    </>
  );
}

function Value({ server, name, then }: McpValuesProps & { name: string }) {
  const text = useText();
  const { commands } = useBackend();
  const [value, setValue] = useState('');
  useUnsaved(value !== '');
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        then(
          commands.giveMcpValue(server.name, name, value).then(() => {
            setValue('');
          }),
        );
      }}
    >
      <Stack>
        <TextField
          label={valueWords(server.name, name)}
          type="password"
          value={value}
          onChange={setValue}
        />
        <Row>
          <Button submit disabled={value === ''}>
            {text('mcp.giveValue')}
          </Button>
        </Row>
      </Stack>
    </form>
  );
}
