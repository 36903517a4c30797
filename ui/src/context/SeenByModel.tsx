/**
 * The exact request as it would be sent, line by line.
 */
import { useQuery } from '@tanstack/react-query';
import { useFormats, useText } from '../i18n';
import { useBackend } from '../ipc';
import type { ContentPart, SessionId, WindowLine } from '../ipc/bindings';
import { Button } from '../kit/Button';
import { keys } from '../state/reading';

export function SeenByModel({ sessionId }: { sessionId: SessionId }) {
  const text = useText();
  const formats = useFormats();
  const { commands, desktop } = useBackend();
  const { data: seen } = useQuery({
    queryKey: [...keys.context(sessionId), 'seen'],
    queryFn: () => commands.seenByModel(sessionId, { text: '', attachments: [] }),
  });
  if (!seen) return <p>{text('kit.loading')}</p>;
  const whole = seen.lines.map((line) => `[${name(line)}]\n${words(line)}`).join('\n\n');
  return (
    <>
      <Button icon="copy" onClick={() => void desktop.copyText(whole)}>
        {text('kit.copy')}
      </Button>
      <ol className="Seen">
        {seen.lines.map((line, at) => (
          <li key={at}>
            <h4>
              {name(line)} <small>{formats.exact(line.tokens)}</small>
            </h4>
            <pre>{words(line)}</pre>
          </li>
        ))}
      </ol>
    </>
  );
}

function name({ label, role }: WindowLine): string {
  if (label.type === 'tool') return label.name;
  if (label.type === 'section' && label.section.type === 'memory') return label.section.path;
  return [label.type === 'section' ? label.section.type : label.type, role]
    .filter(Boolean)
    .join(' · ');
}

const words = ({ parts }: WindowLine) => parts.map(wordsOf).join('\n');

function wordsOf(part: ContentPart): string {
  switch (part.type) {
    case 'text':
    case 'reasoning':
    case 'file':
      return part.text;
    case 'image':
      return part.name;
    case 'tool': {
      const { name: tool, args, state } = part.call;
      const result =
        state.type === 'done'
          ? state.output.text
          : state.type === 'failed'
            ? state.message
            : state.type;
      return `${tool} ${args}\n→ ${result}`;
    }
  }
}
