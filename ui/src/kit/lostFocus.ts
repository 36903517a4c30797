/**
 * One rule for controls that go away, mostly with what they did: the focus would fall to the page, where
 * the next key does nothing. It goes to the same control in what took the place; else back to what opened
 * that which went away; else to whatever else can be done there; else to what stands around it, or home.
 */

/** A control, and what stood around it while it was in the page, the nearest first. */
export type Place = { element: HTMLElement; around: readonly Element[] };

const controls = 'button, a[href], input, select, textarea, summary, [tabindex="0"]';

/** Where the person is, or was last. */
let held: Place | null = null;
/** How it was taken out of the page. */
let removal: MutationRecord | null = null;
/** What opened that which it was taken out with. */
let opener: Place | null = null;
let home: HTMLElement | null = null;
let looking = 0;

export const placeNow = () => held;

/** Where the focus belongs while nothing else asks for it; the function it returns ends that. */
export function setHome(place: HTMLElement | null) {
  home = place;
  return () => {
    if (home === place) home = null;
  };
}

export const focusHome = () => home?.focus();

/** What was opened goes away: whoever is in it comes back to where it was opened. */
export function goBack(place: Place | null) {
  opener = place;
  soon();
}

/** Once everything else that moves the focus has done so. */
function soon() {
  cancelAnimationFrame(looking);
  looking = requestAnimationFrame(look);
}

const isLost = ({ element }: Place) => {
  const active = document.activeElement;
  if (active === element) return element.matches(':disabled');
  return active === null || active === document.body;
};

function look() {
  const [from, how] = [opener, removal];
  opener = null;
  removal = null;
  if (held === null || !isLost(held)) return;
  const { element } = held;
  // A click beside everything: the person left it.
  if (how === null && element.isConnected && !element.matches(':disabled')) held = null;
  else ways(held, how, from).some(takesFocus);
}

/** Where it can go, the best first; what is disabled or gone does not take it. */
function ways({ element, around }: Place, how: MutationRecord | null, from: Place | null) {
  const instead = how === null ? [] : between(how);
  return [
    ...(element.isConnected ? [element, ...beside(element)] : []),
    ...sameIn(instead, element).flatMap((same) => [same, ...beside(same)]),
    ...(from === null ? [] : again(from)),
    ...controlsIn(instead),
    ...around.filter((part) => part.matches('[tabindex="-1"]')),
    ...(home === null ? [] : [home]),
  ];
}

function takesFocus(element: Element) {
  if (element.isConnected && element instanceof HTMLElement) element.focus();
  return document.activeElement === element && !element.matches(':disabled');
}

/** What stands now where something was removed. */
function between({ target, previousSibling, nextSibling }: MutationRecord): Element[] {
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

function sameIn(parts: readonly Element[], control: Element) {
  const name = nameOf(control);
  if (name === '') return [];
  return controlsIn(parts).filter(
    (other) => other.tagName === control.tagName && nameOf(other) === name,
  );
}

/** Where it is not there any more, the only one like it in what is left around it. */
function again({ element, around }: Place) {
  const left = around.find(({ isConnected }) => isConnected);
  const same = left && !element.isConnected ? sameIn([left], element) : [];
  return same.length === 1 ? same : [element];
}

/** Those in its row: the one before comes first, for the way back. */
function beside(control: Element) {
  const row = [...(control.parentElement?.children ?? [])];
  const at = row.indexOf(control);
  return [...row.slice(0, at).reverse(), ...row.slice(at + 1)].filter((it) => it.matches(controls));
}

function hold(element: HTMLElement) {
  const around: Element[] = [];
  for (let part = element.parentElement; part; part = part.parentElement) around.push(part);
  held = { element, around };
  removal = null;
}

document.addEventListener('focusin', ({ target }) => {
  if (target instanceof HTMLElement) hold(target);
});
// On a Mac what is pressed does not take the focus: whoever pressed it is there all the same.
document.addEventListener(
  'click',
  ({ target }) => {
    const pressed = target instanceof Element ? target.closest<HTMLElement>(controls) : null;
    if (pressed && document.activeElement === document.body) hold(pressed);
  },
  true,
);
document.addEventListener('focusout', soon);

new MutationObserver((records) => {
  if (held === null || !isLost(held)) return;
  const { element } = held;
  const how = records.findLast(({ removedNodes }) =>
    [...removedNodes].some((node) => node.contains(element)),
  );
  if (how) removal = how;
  // Nothing else gives the focus back to what opened it.
  if (how && opener) look();
  else if (how || element.matches(':disabled')) soon();
}).observe(document, {
  subtree: true,
  childList: true,
  attributes: true,
  attributeFilter: ['disabled'],
});
