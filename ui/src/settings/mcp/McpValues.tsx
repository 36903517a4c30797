/**
 * The secrets and variables in a server's configuration. They are written and never read back; a missing
 * one has an open field, others can be replaced.
 */
import { useState } from 'react';
import { useText } from '../../i18n';
import { useBackend } from '../../ipc';
import type { McpServerStatus } from '../../ipc/bindings';
import { Button } from '../../kit/controls/Button';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Row, Stack } from '../../kit/display/Stack';
import { TextField } from '../../kit/fields/TextField';
import { useUnsavedForm } from '../../kit/overlays/unsavedGuard';
import { mcpValueLabel } from './mcpText';

type McpValuesProps = { server: McpServerStatus; then: (work: Promise<unknown>) => void };

export function McpValues({ server, then }: McpValuesProps) {
  const text = useText();
  const { state, values } = server;
  /** By name: the input stays while its field is unmounted. */
  const [typed, setTyped] = useState<Readonly<Record<string, string>>>({});
  useUnsavedForm(Object.values(typed).some((value) => value !== ''));
  const missing =
    state.type === 'failed' && state.fault.type === 'valueMissing' ? state.fault.name : null;
  const field = (name: string) => (
    <McpValueField
      key={name}
      {...{ server, name, then }}
      value={typed[name] ?? ''}
      onChange={(value) => {
        setTyped((now) => ({ ...now, [name]: value }));
      }}
    />
  );
  const others = values.filter((name) => name !== missing);
  return (
    <>
      {values.filter((name) => name === missing).map(field)}
      {others.length > 0 && <Disclosure label={text('mcp.values')}>{others.map(field)}</Disclosure>}
    </>
  );
}

type McpValueFieldProps = McpValuesProps & {
  name: string;
  value: string;
  onChange: (value: string) => void;
};

function McpValueField({ server, name, then, value, onChange }: McpValueFieldProps) {
  const text = useText();
  const { commands } = useBackend();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        then(
          commands.giveMcpValue(server.name, name, value).then(() => {
            onChange('');
          }),
        );
      }}
    >
      <Stack>
        <TextField
          label={mcpValueLabel(server.name, name)}
          type="password"
          value={value}
          onChange={onChange}
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
