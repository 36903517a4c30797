/**
 * Which groups of a long text are in the page: those near the view, those somebody holds by the focus or
 * a selection, and those in which something is looked for. A reply can be a hundred screens long, and what
 * the webview keeps for its elements weighs a thousand times its words.
 */
import { createContext, useEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { holdsFocus, holdsSelection, watchUserHold } from '../../kit/lists/userHold';

/** Beyond the view by this much is still near, in px: more than anybody scrolls between two frames. */
const margin = 1500;

/** Told whether the element is to show what it holds. */
type SetVisible = (shown: boolean) => void;
type WatchedElement = {
  near: boolean;
  shown: boolean;
  /** Its height was that of what it shows; else it is an estimate. */
  measured: boolean;
  show: SetVisible;
};

export class BlockVirtualizer {
  /** The engine tells what is near: else everything is shown. */
  readonly canSee = typeof IntersectionObserver !== 'undefined';
  private readonly groups = new Map<Element, WatchedElement>();
  private held: Element | null = null;
  private observer: IntersectionObserver | null = null;

  /** Begins to look, from `root`, which scrolls. The function it returns ends that. */
  attach(root: HTMLElement): () => void {
    this.observer = new IntersectionObserver(this.onIntersect, {
      root,
      rootMargin: `${margin}px 0px`,
    });
    for (const element of this.groups.keys()) this.observer.observe(element);
    let { clientWidth: width } = root;
    const resized = new ResizeObserver(() => {
      if (root.clientWidth === width) return;
      width = root.clientWidth;
      this.remeasure();
    });
    resized.observe(root);
    const unwatch = watchUserHold(this.update);
    return () => {
      unwatch();
      resized.disconnect();
      this.observer?.disconnect();
      this.observer = null;
    };
  }

  /**
   * Watches an element that shows what it holds, or that has left and has an estimate of its height; until
   * it is told otherwise it goes on to.
   */
  watch(element: Element, show: SetVisible, hasLeft = false): () => void {
    this.groups.set(element, { near: !hasLeft, shown: !hasLeft, measured: !hasLeft, show });
    this.observer?.observe(element);
    return () => {
      this.groups.delete(element);
      this.observer?.unobserve(element);
    };
  }

  /** Shows all that an element holds, until another is held; null: none is. */
  keepVisible(element: Element | null) {
    this.held = element;
    this.update();
  }

  private readonly onIntersect = (entries: readonly IntersectionObserverEntry[]) => {
    for (const { target, isIntersecting } of entries) {
      const group = this.groups.get(target);
      if (!group) continue;
      group.near = isIntersecting;
      this.decide(target, group);
    }
  };

  private readonly update = () => {
    for (const [element, group] of this.groups) if (!group.near) this.decide(element, group);
  };

  private decide(element: Element, group: WatchedElement) {
    const shown = group.near || isUserHeld(element) || this.held?.contains(element) === true;
    if (shown === group.shown) return;
    group.shown = shown;
    group.measured = true;
    group.show(shown);
  }

  /**
   * In another width everything has another height: all that was measured is shown, and what is far goes
   * again.
   */
  private remeasure() {
    const far = [...this.groups].filter(([, { shown, measured }]) => !shown && measured);
    flushSync(() => {
      for (const [, group] of far) {
        group.shown = true;
        group.show(true);
      }
    });
    for (const [element] of far) {
      this.observer?.unobserve(element);
      this.observer?.observe(element);
    }
  }
}

const isUserHeld = (element: Element) => holdsFocus(element) || holdsSelection(element);

/** Without one, as in a dialog, everything is in the page. */
export const BlockVirtualizerContext = createContext<BlockVirtualizer | null>(null);

export function useBlockVirtualizer(root: RefObject<HTMLElement | null>): BlockVirtualizer {
  const [reach] = useState(() => new BlockVirtualizer());
  useEffect(() => {
    const element = root.current;
    if (!element || !reach.canSee) return;
    return reach.attach(element);
  }, [reach, root]);
  return reach;
}
