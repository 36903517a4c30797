/**
 * The built-in tools, and the limit of tool rounds in a turn.
 */
import { useFormats, useText } from '../../i18n';
import type { ToolView } from '../../ipc/bindings';
import { useTools } from '../../state/queries/toolQueries';
import { NumberField } from '../fields/NumberField';
import type { SessionSettingsPageProps } from '../useSaveSettings';
import { ToolTable } from './ToolTable';

export function BuiltInTools({ settings, save, session }: SessionSettingsPageProps) {
  const text = useText();
  const { data: all } = useTools(session);
  const tools = all?.filter(({ family }) => family !== 'mcp');
  return (
    <>
      <section aria-label={text('toolSettings.tools')}>
        <h3>{text('toolSettings.tools')}</h3>
        <p className="Settings-quiet">{text('toolSettings.toolsHint')}</p>
        {tools ? (
          <>
            <ToolTable label={text('toolSettings.tools')} {...{ tools, settings, save }} />
            <DeclaredTokens tools={tools} />
          </>
        ) : (
          <p>{text('kit.loading')}</p>
        )}
      </section>
      <NumberField
        label={text('toolSettings.generations')}
        hint={text('toolSettings.generationsHint')}
        value={settings.tools.generationsPerTurn}
        min={1}
        max={1000}
        onSave={(generationsPerTurn) => {
          if (generationsPerTurn === null) return;
          save((old) => ({ ...old, tools: { ...old.tools, generationsPerTurn } }));
        }}
      />
    </>
  );
}

/** The tokens of the tool declarations in every request. */
function DeclaredTokens({ tools }: { tools: readonly ToolView[] }) {
  const text = useText();
  const formats = useFormats();
  const declared = tools.filter((tool) => tool.declared);
  const tokens = declared.reduce((sum, tool) => sum + tool.tokens, 0);
  return (
    <p className="Settings-quiet">
      {text('toolSettings.total', { count: declared.length, tokens: formats.exact(tokens) })}
    </p>
  );
}
