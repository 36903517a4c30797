/**
 * Leads to one control of a page of the settings by its words, as soon as it is there: what a page shows may
 * still be read, and what an earlier name opens is made only then.
 */
import { useEffect, type RefObject } from 'react';

const named = 'label, .Field-label, h3, button';
const focusable = 'input, button, textarea, select, [tabindex="0"]';

/** `names`: of what is opened on the way, then of the control itself. The same for as long as they are. */
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

/** The control that these words name; for a heading the first below it. */
function findControl(page: HTMLElement, name: string): HTMLElement | null {
  const all = [...page.querySelectorAll<HTMLElement>(named)];
  const words = all.find(({ textContent }) => textContent.trim() === name);
  if (!words || words instanceof HTMLButtonElement) return words ?? null;
  const tied = words instanceof HTMLLabelElement ? document.getElementById(words.htmlFor) : null;
  return tied ?? words.parentElement?.querySelector<HTMLElement>(focusable) ?? words;
}
