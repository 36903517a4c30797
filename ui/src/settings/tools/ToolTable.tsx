/**
 * A table of tools: description, switch, token cost, and the limit of their output. The settings apply to
 * all sessions.
 */
import { isBuiltIn, useFormats, useText } from '../../i18n';
import type { Settings, ToolView } from '../../ipc/bindings';
import { Disclosure } from '../../kit/controls/Disclosure';
import { Switch } from '../../kit/fields/Switch';
import { Table } from '../../kit/display/Table';
import { NumberField } from '../fields/NumberField';
import type { SettingsPageProps } from '../useSaveSettings';

type ToolTableProps = Pick<SettingsPageProps, 'settings' | 'save'> & {
  label: string;
  tools: readonly ToolView[];
};

/** The smallest output limit, in characters: the beginning, the end and the line between need room. */
const minOutputChars = 500;

export function ToolTable({ label, tools, settings, save }: ToolTableProps) {
  const text = useText();
  const formats = useFormats();
  const change = (change: (tools: Settings['tools']) => Partial<Settings['tools']>) => {
    save((old) => ({ ...old, tools: { ...old.tools, ...change(old.tools) } }));
  };
  const { switches, outputLimits } = settings.tools;
  return (
    <div className="ToolTable">
      <Table label={label}>
        <thead>
          <tr>
            <th scope="col">{text('toolSettings.tool')}</th>
            <th scope="col" className="number">
              {text('toolSettings.tokens')}
            </th>
            <th scope="col">{text('toolSettings.limit')}</th>
          </tr>
        </thead>
        <tbody>
          {tools.map(({ name, description, on, tokens, outputLimit }) => (
            <tr key={name}>
              <th scope="row">
                <Switch
                  label={name}
                  checked={switches[name] === undefined ? on : switches[name] === 'on'}
                  onChange={(to) => {
                    change((now) => ({ switches: { ...now.switches, [name]: to ? 'on' : 'off' } }));
                  }}
                />
                <div className="ToolTable-words">
                  {isBuiltIn(name) && <p>{text(`toolAbout.${name}`)}</p>}
                  <Disclosure label={text('toolSettings.told')}>
                    <p className="ToolTable-told">{description}</p>
                  </Disclosure>
                </div>
              </th>
              <td className="number">{formats.exact(tokens)}</td>
              <td className="ToolTable-limit">
                <NumberField
                  label={text('toolSettings.limitOf', { tool: name })}
                  labelHidden
                  value={outputLimits[name] ?? outputLimit}
                  min={minOutputChars}
                  max={1_000_000}
                  optional
                  onSave={(limit) => {
                    change((now) => ({
                      outputLimits: withOutputLimit(now.outputLimits, name, limit),
                    }));
                  }}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

type OutputLimits = Settings['tools']['outputLimits'];

function withOutputLimit(limits: OutputLimits, name: string, limit: number | null): OutputLimits {
  const others = Object.entries(limits).filter(([other]) => other !== name);
  return Object.fromEntries(limit === null ? others : [...others, [name, limit]]);
}
