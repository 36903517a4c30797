/**
 * What somebody holds, by the focus or by a selection: it stays in the page wherever it is scrolled to,
 * for what is copied or typed into must be there.
 */

export const holdsFocus = (element: Element) => element.contains(document.activeElement);

export function holdsSelection(element: Element): boolean {
  const selection = getSelection();
  return selection?.rangeCount ? selection.getRangeAt(0).intersectsNode(element) : false;
}

const events = ['selectionchange', 'focusin', 'focusout'] as const;

/** Has it looked at what is held whenever that may have changed. The function it returns ends that. */
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
