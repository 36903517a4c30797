/**
 * The card that `/context` posts: where the window's tokens went at that moment. Never sent.
 */
import { useFormats, useText } from '../i18n';
import type { Breakdown, Message } from '../ipc/bindings';

export function Card({ message }: { message: Message }) {
  const text = useText();
  const formats = useFormats();
  const part = message.parts[0];
  const breakdown = part?.type === 'text' ? (JSON.parse(part.text) as Breakdown) : null;
  if (!breakdown) return null;
  return (
    <article className="Card" aria-label={text('transcript.card')}>
      <table aria-label={text('context.breakdown')}>
        <tbody>
          {breakdown.rows.map((row) => (
            <tr key={row.kind}>
              <th scope="row">{text(`context.${row.kind}`)}</th>
              <td>{formats.exact(row.tokens)}</td>
              <td>{formats.percent(row.tokens / breakdown.window)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {text(
          breakdown.mode.type === 'reported'
            ? 'transcript.cardReported'
            : 'transcript.cardEstimated',
        )}
      </p>
    </article>
  );
}
