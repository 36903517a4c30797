/**
 * A part of a long text. Far from the view only its height is mounted.
 */
import { use, useEffect, useRef, useState, type ReactNode } from 'react';
import { BlockVirtualizerContext } from './blockVirtualization';

/** The last heights of content that was mounted once, in px. */
const lastHeights = new WeakMap<object, number>();

type VirtualizedBlockProps = {
  /** The identity of its content: new content is mounted until it is measured. */
  of: object;
  mayLeave: boolean;
  /** The estimated height with which it begins, in px; it mounts when it comes near the view. */
  estimate?: number | undefined;
  children: () => ReactNode;
};

export function VirtualizedBlock({ of, mayLeave, estimate, children }: VirtualizedBlockProps) {
  const reach = use(BlockVirtualizerContext);
  const ref = useRef<HTMLDivElement>(null);
  const isEstimated = estimate !== undefined && mayLeave && reach?.canSee === true;
  const [left, setLeft] = useState(
    isEstimated ? { of, height: lastHeights.get(of) ?? estimate } : null,
  );
  const [beginsLeft] = useState(isEstimated);
  useEffect(() => {
    const element = ref.current;
    if (!reach || !mayLeave || !element) return;
    const show = (shown: boolean) => {
      if (shown) {
        setLeft(null);
        return;
      }
      const { height } = element.getBoundingClientRect();
      lastHeights.set(of, height);
      setLeft({ of, height });
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
