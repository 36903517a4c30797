/**
 * Restores the focus when the focused control disappears, often by its own action: else the focus falls to
 * the page, where keys do nothing. The focus goes to the same control in the element that took the place;
 * else to the opener of the removed element; else to the dialog or panel around it, or to the focus home. A
 * control that is only disabled for a while gets the focus back when it is enabled.
 */

/** A control and its ancestors at that time, the nearest first. */
export type FocusPosition = { element: HTMLElement; around: readonly Element[] };

const controls = 'button, a[href], input, select, textarea, summary, [tabindex="0"]';

/** The current focus, or the last one. */
let lastFocus: FocusPosition | null = null;
/** The mutation that removed it from the page. */
let removal: MutationRecord | null = null;
/** A disabled control is enabled again. */
let isRestored = false;
/** The position to which the removed element gives the focus back. */
let opener: FocusPosition | null = null;
let home: HTMLElement | null = null;
let looking = 0;

export const currentFocusPosition = () => lastFocus;

/** Sets the element that gets the focus when nothing else does. The returned function unsets it. */
export function setFocusHome(place: HTMLElement | null) {
  home = place;
  return () => {
    if (home === place) home = null;
  };
}

export const focusHome = () => home?.focus();

/** Called as an overlay closes: a focus inside goes back to its opener. */
export function restoreFocusTo(place: FocusPosition | null) {
  opener = place;
  scheduleRestore();
}

/** Runs after everything else that moves the focus. */
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
  // A click on the background: the user has left the control.
  else if (!element.matches(':disabled')) lastFocus = null;
}

/** The possible targets, the best first. A disabled or removed one does not take the focus. */
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

/** The elements that now stand where one was removed. */
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

/** The opener, or if it was removed, the only control like it in what is left around it. */
function findOpener({ element, around }: FocusPosition) {
  const left = around.find(({ isConnected }) => isConnected);
  const same = left && !element.isConnected ? findSameControl([left], element) : [];
  return same.length === 1 ? same : [element];
}

/** The other controls of the row: those before the control, the nearest first, then those after it. */
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
// On macOS a click does not focus a button: it counts as the last focus all the same.
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
  // Nothing else returns the focus to the opener.
  if (how && opener) restoreLostFocus();
  else if (how || isRestored) scheduleRestore();
}).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled'],
});
