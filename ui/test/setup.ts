import '@testing-library/jest-dom/vitest';
import { cleanup, configure } from '@testing-library/react';
import { afterAll, afterEach, vi } from 'vitest';
import { loadLanguage, loadPanelTexts } from '../src/i18n';
import { loadPopups } from '../src/kit/layers/popupLibrary';

// Tests see the window after everything that it loads by itself.
await Promise.all([loadLanguage('en'), loadLanguage('zh')]);
await loadPanelTexts();
if (typeof document !== 'undefined') await loadPopups();

afterEach(cleanup);
afterAll(async () => {
  // Modules that are preloaded may still be loading when the last test has ended.
  await vi.dynamicImportSettled();
  // The page goes away after this, and with it what those who watch it would look at.
  if (typeof document !== 'undefined') document.body.replaceChildren();
});
// A machine that builds at the same time may take seconds for what a window does in one frame.
configure({ asyncUtilTimeout: 20_000 });

if (typeof HTMLDialogElement !== 'undefined') {
  // jsdom has the element without its methods. The focus goes in and comes back as in browsers.
  const focusedBefore = new WeakMap<HTMLDialogElement, Element | null>();
  HTMLDialogElement.prototype.showModal = function showModal() {
    focusedBefore.set(this, document.activeElement);
    this.open = true;
    const first = 'input, textarea, select, button, a[href]';
    const asking = this.querySelector<HTMLElement>('[autofocus]');
    (asking ?? this.querySelector<HTMLElement>(first))?.focus();
  };
  HTMLDialogElement.prototype.close = function close() {
    if (!this.open) return;
    this.open = false;
    const before = focusedBefore.get(this);
    if (before instanceof HTMLElement) before.focus();
    this.dispatchEvent(new Event('close'));
  };
}

if (typeof window !== 'undefined') {
  // Tests type and look at once: nothing waits for their next key.
  const { framePacer } = await import('../src/state/turn/framePacer');
  framePacer.isTyping = () => false;
  // jsdom has no layout: whatever is asked for its size has one, and nothing is ever narrow.
  for (const side of ['clientHeight', 'clientWidth']) {
    Object.defineProperty(Element.prototype, side, { configurable: true, get: () => 800 });
  }
  Element.prototype.scrollIntoView = () => undefined;
  Range.prototype.getBoundingClientRect = () => new DOMRect();
  window.matchMedia = (media) =>
    Object.assign(new EventTarget(), { matches: false, media }) as MediaQueryList;
}
