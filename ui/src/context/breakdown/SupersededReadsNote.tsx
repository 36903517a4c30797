/**
 * The reads of files that the request leaves out because later ones follow (W06), and the tokens they took.
 */
import { useFormats, useText } from '../../i18n';
import type { Breakdown } from '../../ipc/bindings';

export function SupersededReadsNote({ breakdown }: { breakdown: Breakdown }) {
  const text = useText();
  const formats = useFormats();
  // A card of an older version has none.
  const { supersededReads: reads = [] } = breakdown;
  if (reads.length === 0) return null;
  const tokens = formats.exact(reads.reduce((sum, read) => sum + read.tokens, 0));
  return (
    <p className="ContextDialog-note">
      {text('tools.supersededReads', { count: reads.length, tokens })}
    </p>
  );
}
