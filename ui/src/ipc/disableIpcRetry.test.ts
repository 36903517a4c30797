import { afterEach, expect, test, vi } from 'vitest';
import { disableIpcRetryOnUnload } from './disableIpcRetry';

afterEach(() => {
  vi.unstubAllGlobals();
});

test('what breaks off because the page is left is not asked by another way', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('broken off')));
  disableIpcRetryOnUnload();
  await expect(window.fetch('ipc://localhost/send')).rejects.toThrow('broken off');

  window.dispatchEvent(new Event('beforeunload'));
  const askedAgain = vi.fn();
  void window.fetch('ipc://localhost/send').then(undefined, askedAgain);
  await new Promise((done) => setTimeout(done, 10));
  expect(askedAgain).not.toHaveBeenCalled();
});

test('what is answered while the page is left is heard', async () => {
  vi.stubGlobal('fetch', () => Promise.resolve(new Response('stored')));
  disableIpcRetryOnUnload();
  window.dispatchEvent(new Event('beforeunload'));
  expect(await (await window.fetch('ipc://localhost/save_draft')).text()).toBe('stored');
});
