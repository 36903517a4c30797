/**
 * Disables Tauri's retry of commands when the page unloads. Unloading aborts running commands;
 * Tauri takes that for a blocked protocol and repeats each over another channel, which would send
 * a message twice.
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
      // Never resolved: its caller is unloaded with the page.
      return new Promise<Response>(() => undefined);
    }
  };
}
