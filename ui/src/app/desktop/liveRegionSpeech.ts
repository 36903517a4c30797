/**
 * Speaks the live regions of the page through the desktop, where the webview passes their changes to no
 * screen reader (WebKitGTK). A status or an alert is spoken whole, other live regions by what is added.
 */
import { useEffect } from 'react';
import type { Desktop } from '../../ipc';

const atomicSelector = '[role="status"], [role="alert"]';
const regionSelector = `${atomicSelector}, [aria-live="polite"], [aria-live="assertive"]`;

/** Milliseconds: the changes of this time are spoken together. */
const DELAY_MS = 150;
/** Milliseconds between two texts: a screen reader fetches a text some time after it was notified. */
const TEXT_INTERVAL_MS = 600;
/** Milliseconds between two texts of one status: a progress is not spoken at each step. */
const STATUS_INTERVAL_MS = 3_000;

export function useLiveRegionSpeech({ announce }: Desktop) {
  useEffect(() => {
    if (!announce) return undefined;
    return observeLiveRegions(document.body, (text) => {
      announce(text).catch((error: unknown) => {
        console.error('nothing could be announced', error);
      });
    });
  }, [announce]);
}

/** Texts that were added to a region. A status or an alert is read whole when it is spoken instead. */
type PendingTexts = Map<Element, string[]>;

/** Calls `speak` with the texts of changed live regions below `root`. Returns what ends it. */
export function observeLiveRegions(root: Element, speak: (text: string) => void): () => void {
  const pending: PendingTexts = new Map();
  const spoken = new WeakMap<Element, { text: string; at: number }>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let spokenAt = 0;

  const flush = () => {
    const now = Date.now();
    const texts: string[] = [];
    for (const [region, added] of pending) {
      const isAtomic = region.matches(atomicSelector);
      const last = isAtomic ? spoken.get(region) : undefined;
      if (last && now - last.at < STATUS_INTERVAL_MS) continue;
      pending.delete(region);
      const text = isAtomic ? readableText(region) : added.join('\n');
      if (text === '' || text === last?.text) continue;
      spoken.set(region, { text, at: now });
      texts.push(text);
    }
    // A status that must wait does not hold up what else is announced meanwhile.
    timer = pending.size > 0 ? setTimeout(flush, TEXT_INTERVAL_MS) : undefined;
    if (texts.length === 0) return;
    spokenAt = now;
    speak(texts.join('\n'));
  };

  /** A region that was empty in between speaks the same text again. */
  const forgetEmptied = ({ target }: MutationRecord) => {
    const region = regionOf(target);
    const last = region && spoken.get(region);
    if (last && readableText(region) === '') last.text = '';
  };

  const observer = new MutationObserver((mutations) => {
    for (const mutation of mutations) {
      collectTexts(mutation, pending);
      forgetEmptied(mutation);
    }
    if (pending.size === 0 || timer !== undefined) return;
    timer = setTimeout(flush, Math.max(DELAY_MS, spokenAt + TEXT_INTERVAL_MS - Date.now()));
  });
  observer.observe(root, { subtree: true, childList: true, characterData: true });
  return () => {
    observer.disconnect();
    clearTimeout(timer);
  };
}

const regionOf = (node: Node) =>
  (node instanceof Element ? node : node.parentElement)?.closest(regionSelector);

function collectTexts({ target, addedNodes }: MutationRecord, pending: PendingTexts) {
  const region = regionOf(target);
  if (region) {
    // Read at once: the next announcement may replace it before it is spoken.
    const changed = target instanceof Element ? [...addedNodes] : [target];
    addTexts(region, changed, pending);
    return;
  }
  // A status is spoken when its own element is added, an alert also when an element around it is added.
  for (const node of addedNodes) {
    if (!(node instanceof Element)) continue;
    if (node.matches(regionSelector)) addTexts(node, [node], pending);
    node.querySelectorAll('[role="alert"]').forEach((alert) => {
      addTexts(alert, [alert], pending);
    });
  }
}

function addTexts(region: Element, nodes: readonly Node[], pending: PendingTexts) {
  const texts = nodes.map(readableText).filter((text) => text !== '');
  if (texts.length === 0 || region.closest('[aria-hidden="true"]')) return;
  pending.set(region, [...(pending.get(region) ?? []), ...texts]);
}

/** The text of a node, a line for each child if one is a `div`: no space in the page separates those. */
function readableText(node: Node): string {
  if (!node.isConnected) return '';
  const children = [...node.childNodes];
  if (!children.some((child) => child.nodeName === 'DIV'))
    return (node.textContent ?? '').replace(/\s+/gu, ' ').trim();
  return children
    .map(readableText)
    .filter((line) => line !== '')
    .join('\n');
}
