/**
 * KaTeX, in a chunk of its own. It builds elements; no string becomes HTML.
 */
import katex from 'katex';
import 'katex/dist/katex.min.css';
import { useLayoutEffect, useRef } from 'react';

type KatexFormulaProps = { tex: string; display: boolean };

export default function KatexFormula({ tex, display }: KatexFormulaProps) {
  const ref = useRef<HTMLSpanElement>(null);

  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    try {
      katex.render(tex, element, {
        displayMode: display,
        strict: 'ignore',
        // \href, \includegraphics and the like are disabled; macros and sizes are limited.
        trust: false,
        maxExpand: 200,
        maxSize: 20,
      });
    } catch {
      element.textContent = tex;
    }
  }, [tex, display]);

  return <span ref={ref} className="Markdown-formula" data-display={display || undefined} />;
}
