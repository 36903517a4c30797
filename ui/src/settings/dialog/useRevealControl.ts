/**
 * Scrolls to a control of a settings page by its label. The page may still load, and a disclosure on the
 * way renders its content only once it is open.
 */
import { useEffect, type RefObject } from 'react';

const named = 'label, .Field-label, h3, button';
const focusable = 'input, button, textarea, select, [tabindex="0"]';

/** `names`: the labels of the disclosures on the way, then of the control. A stable array. */
export function useRevealControl(
  root: RefObject<HTMLElement | null>,
  names: readonly string[] | undefined,
) {
  useEffect(() => {
    const page = root.current;
    if (!page || !names) return;
    const left = [...names];
    const seek = () => {
      for (let name = left[0]; name !== undefined; name = left[0]) {
        const found = findControl(page, name);
        if (!found) return;
        left.shift();
        if (left.length === 0) revealControl(found);
        else if (found.getAttribute('aria-expanded') === 'false') found.click();
      }
      watcher.disconnect();
    };
    const watcher = new MutationObserver(seek);
    watcher.observe(page, { childList: true, subtree: true });
    seek();
    return () => {
      watcher.disconnect();
    };
  }, [root, names]);
}

function revealControl(control: HTMLElement) {
  control.scrollIntoView({ block: 'center' });
  control.focus();
}

/** The control with this label; for a heading, the first control below it. */
function findControl(page: HTMLElement, name: string): HTMLElement | null {
  const all = [...page.querySelectorAll<HTMLElement>(named)];
  const words = all.find(({ textContent }) => textContent.trim() === name);
  if (!words || words instanceof HTMLButtonElement) return words ?? null;
  const tied = words instanceof HTMLLabelElement ? document.getElementById(words.htmlFor) : null;
  return tied ?? words.parentElement?.querySelector<HTMLElement>(focusable) ?? words;
}
