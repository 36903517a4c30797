/**
 * One rule for controls that go away, mostly with what they did: the focus would fall to the page, where
 * the next key does nothing. It goes to the same control in what took the place; else back to what opened
 * that which went away; else it stays in the dialog or panel around it, or goes home.
 * One that only waits, disabled until something is done, has it again then: what stands beside it may be
 * anything.
 */

/** A control, and what stood around it while it was in the page, the nearest first. */
export type FocusPosition = { element: HTMLElement; around: readonly Element[] };

const controls = 'button, a[href], input, select, textarea, summary, [tabindex="0"]';

/** Where the person is, or was last. */
let lastFocus: FocusPosition | null = null;
/** How it was taken out of the page. */
let removal: MutationRecord | null = null;
/** Whether it can be pressed again. */
let isRestored = false;
/** What opened that which it was taken out with. */
let opener: FocusPosition | null = null;
let home: HTMLElement | null = null;
let looking = 0;

export const currentFocusPosition = () => lastFocus;

/** Where the focus belongs while nothing else asks for it; the function it returns ends that. */
export function setFocusHome(place: HTMLElement | null) {
  home = place;
  return () => {
    if (home === place) home = null;
  };
}

export const focusHome = () => home?.focus();

/** What was opened goes away: whoever is in it comes back to where it was opened. */
export function restoreFocusTo(place: FocusPosition | null) {
  opener = place;
  scheduleRestore();
}

/** Once everything else that moves the focus has done so. */
function scheduleRestore() {
  cancelAnimationFrame(looking);
  looking = requestAnimationFrame(restoreLostFocus);
}

const isFocusLost = () =>
  document.activeElement === null || document.activeElement === document.body;

function restoreLostFocus() {
  const [from, how, again] = [opener, removal, isRestored];
  opener = null;
  removal = null;
  isRestored = false;
  if (lastFocus === null || !isFocusLost()) return;
  const { element } = lastFocus;
  const isGone = how !== null || !element.isConnected;
  if (isGone || again) restoreCandidates(lastFocus, how, from).some(tryFocus);
  // A click beside everything: the person left it.
  else if (!element.matches(':disabled')) lastFocus = null;
}

/** Where it can go, the best first; what is disabled or gone does not take it. */
function restoreCandidates(
  { element, around }: FocusPosition,
  how: MutationRecord | null,
  from: FocusPosition | null,
) {
  const instead = how === null ? [] : nodesInGap(how);
  const part = around.find((it) => it.isConnected && it.matches('[tabindex="-1"]'));
  return [
    element,
    ...findSameControl(instead, element).flatMap((same) => [same, ...siblingControls(same)]),
    ...(from === null ? [] : findOpener(from)),
    ...(part ? [...controlsIn(instead), part] : []),
    ...(home === null ? [] : [home]),
  ];
}

function tryFocus(element: Element) {
  if (element.isConnected && element instanceof HTMLElement) element.focus();
  return document.activeElement === element;
}

/** What stands now where something was removed. */
function nodesInGap({ target, previousSibling, nextSibling }: MutationRecord): Element[] {
  const found: Element[] = [];
  let node = previousSibling === null ? target.firstChild : previousSibling.nextSibling;
  for (; node !== null && node !== nextSibling; node = node.nextSibling) {
    if (node instanceof Element) found.push(node);
  }
  return found;
}

const controlsIn = (parts: readonly Element[]) =>
  parts.flatMap((part) => [
    ...(part.matches(controls) ? [part] : []),
    ...part.querySelectorAll(controls),
  ]);

const nameOf = (control: Element) => control.getAttribute('aria-label') ?? control.textContent;

function findSameControl(parts: readonly Element[], control: Element) {
  const name = nameOf(control);
  if (name === '') return [];
  return controlsIn(parts).filter(
    (other) => other.tagName === control.tagName && nameOf(other) === name,
  );
}

/** Where it is not there any more, the only one like it in what is left around it. */
function findOpener({ element, around }: FocusPosition) {
  const left = around.find(({ isConnected }) => isConnected);
  const same = left && !element.isConnected ? findSameControl([left], element) : [];
  return same.length === 1 ? same : [element];
}

/** Those in its row: the one before comes first, for the way back. */
function siblingControls(control: Element) {
  const row = [...(control.parentElement?.children ?? [])];
  const at = row.indexOf(control);
  return [...row.slice(0, at).reverse(), ...row.slice(at + 1)].filter((it) => it.matches(controls));
}

function recordFocus(element: HTMLElement) {
  const around: Element[] = [];
  for (let part = element.parentElement; part; part = part.parentElement) around.push(part);
  lastFocus = { element, around };
  removal = null;
  isRestored = false;
}

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) recordFocus(target);
});
// On a Mac what is pressed does not take the focus: whoever pressed it is there all the same.
document.addEventListener(
  'click',
  ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(controls) : null;
    if (pressed && document.activeElement === document.body) recordFocus(pressed);
  },
  true,
);
document.addEventListener('focusout', scheduleRestore);

new MutationObserver((records) => {
  if (lastFocus === null || !isFocusLost()) return;
  const { element } = lastFocus;
  const how = records.findLast(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(element)),
  );
  if (how) removal = how;
  isRestored =
    !element.matches(':disabled') &&
    (isRestored || records.some(({ type, target }) => type === 'attributes' && target === element));
  // Nothing else gives the focus back to what opened it.
  if (how && opener) restoreLostFocus();
  else if (how || isRestored) scheduleRestore();
}).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled'],
});
