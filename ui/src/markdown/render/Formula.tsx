/**
 * A formula. KaTeX (250 KB and its fonts) is loaded with the first one. Until then, and for one that cannot
 * be typeset, the source is shown.
 */
import { lazy, Suspense } from 'react';

type FormulaProps = { tex: string; display: boolean };

const KatexFormula = lazy(() => import('./KatexFormula'));

/** Longer formulas stay source, in characters: KaTeX is not linear. */
const maxFormulaChars = 4000;

export function Formula({ tex, display }: FormulaProps) {
  const written = (
    <code className="Markdown-formula" data-display={display || undefined}>
      {tex}
    </code>
  );
  if (tex.length > maxFormulaChars) return written;
  return (
    <Suspense fallback={written}>
      <KatexFormula tex={tex} display={display} />
    </Suspense>
  );
}
