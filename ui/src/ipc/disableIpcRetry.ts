/**
 * A page that is being left asks nothing again. Leaving it breaks off the commands that are under way;
 * Tauri takes that for a protocol that is blocked and asks each of them once more by another way: a
 * message would be sent twice.
 */
export function disableIpcRetryOnUnload() {
  let leaving = false;
  window.addEventListener('beforeunload', () => {
    leaving = true;
  });
  const ask = window.fetch.bind(window);
  window.fetch = async (...what) => {
    try {
      return await ask(...what);
    } catch (thrown) {
      if (!leaving) throw thrown;
      // Whoever waits for it goes with the page.
      return new Promise<Response>(() => undefined);
    }
  };
}
