/**
 * A part of a long text, or of a long list, quotation or table. Far from the view only its height is mounted.
 */
import { use, useEffect, useRef, useState } from 'react';
import type { OlHTMLAttributes, ReactNode } from 'react';
import { BlockVirtualizerContext } from './blockVirtualization';

/** The last heights of content that was mounted once, in px. */
const lastHeights = new WeakMap<object, number>();

type VirtualizedBlockProps = {
  /** The element; absent: a group of whole blocks. */
  as?: 'ul' | 'ol' | 'blockquote' | 'tbody';
  attributes?: OlHTMLAttributes<HTMLDivElement>;
  /**
   * The identity of its content: a group with new content is mounted until it is measured. A list, a
   * quotation or a table that streams is parsed again and again: its parts stay as they are.
   */
  of: object;
  mayLeave: boolean;
  /** The estimated height with which it begins, in px; it mounts when it comes near the view. */
  estimate?: number | undefined;
  children: () => ReactNode;
};

export function VirtualizedBlock(props: VirtualizedBlockProps) {
  const { as, attributes, of, mayLeave, estimate, children } = props;
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
  // The element's kind matters to none of its attributes.
  const Block = (as ?? 'div') as 'div';
  const height = mayLeave && left && (as || left.of === of) ? left.height : undefined;
  return (
    <Block
      ref={ref}
      className={as ? undefined : 'Markdown-group'}
      {...attributes}
      style={{ height }}
    >
      {height === undefined ? children() : as === 'tbody' && <tr aria-hidden style={{ height }} />}
    </Block>
  );
}
