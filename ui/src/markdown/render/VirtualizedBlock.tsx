/**
 * A part of a long text, of which beyond reach only the height stays in the page.
 */
import { use, useEffect, useRef, useState, type ReactNode } from 'react';
import { BlockVirtualizerContext } from './blockVirtualization';

type VirtualizedBlockProps = {
  /** What it shows: another is shown until it is beyond reach as well. */
  of: object;
  mayLeave: boolean;
  /** It begins as this height alone, in px, and is shown when it comes near. */
  estimate?: number | undefined;
  children: () => ReactNode;
};

export function VirtualizedBlock({ of, mayLeave, estimate, children }: VirtualizedBlockProps) {
  const reach = use(BlockVirtualizerContext);
  const ref = useRef<HTMLDivElement>(null);
  const isEstimated = estimate !== undefined && mayLeave && reach?.canSee === true;
  const [left, setLeft] = useState(isEstimated ? { of, height: estimate } : null);
  const [beginsLeft] = useState(isEstimated);
  useEffect(() => {
    const element = ref.current;
    if (!reach || !mayLeave || !element) return;
    const show = (shown: boolean) => {
      setLeft(shown ? null : { of, height: element.getBoundingClientRect().height });
    };
    return reach.watch(element, show, beginsLeft);
  }, [reach, mayLeave, of, beginsLeft]);
  if (left?.of === of && mayLeave) {
    return <div ref={ref} className="Markdown-group" style={{ height: left.height }} />;
  }
  return (
    <div ref={ref} className="Markdown-group">
      {children()}
    </div>
  );
}
