/**
 * Decides which groups of a long text are mounted: those near the view, those with the focus or a
 * selection, and those that a search looks into. A reply may be a hundred screens long, and the webview's
 * data for its elements is a thousand times the size of its text.
 */
import { createContext, useEffect, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { holdsFocus, holdsSelection, watchUserHold } from '../../kit/lists/userHold';

/** This distance beyond the view counts as near, in px: no scroll passes it in one frame. */
const margin = 1500;

/** Called with whether the element shows its content. */
type SetVisible = (shown: boolean) => void;
type WatchedElement = {
  near: boolean;
  shown: boolean;
  /** The height was measured; else it is an estimate. */
  measured: boolean;
  show: SetVisible;
};

export class BlockVirtualizer {
  /** The engine has IntersectionObserver; without it everything is mounted. */
  readonly canSee = typeof IntersectionObserver !== 'undefined';
  private readonly groups = new Map<Element, WatchedElement>();
  private held: Element | null = null;
  private observer: IntersectionObserver | null = null;

  /** Starts to observe, inside the scroller `root`. The returned function ends that. */
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
   * Observes an element that shows its content, or with `hasLeft` one that begins as its estimated height.
   * It stays so until `show` is called.
   */
  watch(element: Element, show: SetVisible, hasLeft = false): () => void {
    const group = { near: !hasLeft, shown: !hasLeft, measured: !hasLeft, show };
    this.groups.set(element, group);
    this.observer?.observe(element);
    // A part of another element, whose content the user holds or a search has just mounted.
    if (hasLeft) this.decide(element, group);
    return () => {
      this.groups.delete(element);
      this.observer?.unobserve(element);
    };
  }

  /** Keeps all content of one element mounted, until another call; null: none. */
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
   * In another width all heights are different: all measured elements are mounted, and those far from the
   * view unmount again.
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

/** Without one, as in a dialog, everything is mounted. */
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
