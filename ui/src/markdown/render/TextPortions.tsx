/**
 * A text of megabytes in portions, one below the other, of which only those near the view are in the page.
 */
import { useState, type ReactNode } from 'react';
import { endOfPortion, estimateLines, splitLongText } from '../../kit/text/splitLongText';
import { VirtualizedBlock } from './VirtualizedBlock';

/** Portions that come and go together. */
const portionsPerGroup = 4;

type PortionGroup = {
  portions: readonly string[];
  /** About how many lines it takes. */
  lines: number;
};

/** Groups the portions of a text that may grow: those that no further text changes keep their identity. */
class PortionGrouper {
  private text = '';
  private closed: PortionGroup[] = [];
  /** Where in `text` the portions begin that are in no closed group. */
  private from = 0;
  private last: readonly PortionGroup[] = [];

  group(text: string): readonly PortionGroup[] {
    if (text === this.text && this.last.length > 0) return this.last;
    if (!text.startsWith(this.text)) {
      this.closed = [];
      this.from = 0;
    }
    this.text = text;
    let portions = splitLongText(text.slice(this.from));
    // Only the last portion changes with what follows it.
    while (portions.length > portionsPerGroup) {
      const group = portions.slice(0, portionsPerGroup);
      portions = portions.slice(portionsPerGroup);
      for (const portion of group) this.from = endOfPortion(text, this.from + portion.length);
      this.closed.push(groupOf(group));
    }
    // The last portion is a group of its own: it alone is rendered before the view is known.
    this.last = [...this.closed, ...[portions.slice(0, -1), portions.slice(-1)].flatMap(groupsOf)];
    return this.last;
  }
}

const groupOf = (portions: readonly string[]): PortionGroup => ({
  portions,
  lines: portions.reduce((lines, words) => lines + estimateLines(words), 0),
});

/** No group without a portion. */
const groupsOf = (portions: readonly string[]) =>
  portions.length === 0 ? [] : [groupOf(portions)];

type TextPortionsProps = {
  text: string;
  /** In px. */
  lineHeight: number;
  children: (portion: string, at: number) => ReactNode;
};

export function TextPortions({ text, lineHeight, children }: TextPortionsProps) {
  const [grouper] = useState(() => new PortionGrouper());
  const groups = grouper.group(text);
  return groups.map((group, at) => (
    <VirtualizedBlock
      key={at}
      of={group}
      mayLeave
      // A text opens at its end. 4,096 characters of a line without spaces take 4 ms to lay out.
      estimate={at === groups.length - 1 ? undefined : group.lines * lineHeight}
    >
      {() => group.portions.map(children)}
    </VirtualizedBlock>
  ));
}
