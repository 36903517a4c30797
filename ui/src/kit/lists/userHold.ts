/**
 * Elements that the user holds by the focus or by a selection. They stay mounted wherever the view scrolls:
 * text to copy or to type into must exist.
 */

export const holdsFocus = (element: Element) => element.contains(document.activeElement);

export function holdsSelection(element: Element): boolean {
  const selection = getSelection();
  return selection?.rangeCount ? selection.getRangeAt(0).intersectsNode(element) : false;
}

const events = ['selectionchange', 'focusin', 'focusout'] as const;

/**
 * Calls `look` whenever the focus or the selection may have changed. The returned function ends that.
 */
export function watchUserHold(look: () => void): () => void {
  let looking = 0;
  const soon = () => {
    cancelAnimationFrame(looking);
    looking = requestAnimationFrame(look);
  };
  for (const event of events) document.addEventListener(event, soon);
  return () => {
    for (const event of events) document.removeEventListener(event, soon);
    cancelAnimationFrame(looking);
  };
}
