/**
 * The URLs in a model's text that may be opened: web pages and mail addresses. All others (javascript:,
 * data:, file:, relative paths) stay text.
 */

const onNetwork = new Set(['http:', 'https:']);
const openable = new Set([...onNetwork, 'mailto:']);

function normalizeUrl(written: string, schemes: ReadonlySet<string>): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  return schemes.has(url.protocol) ? url.href : null;
}

/** The normalized URL; null: not one to open. */
export function safeLinkUrl(written: string): string | null {
  return normalizeUrl(written, openable);
}

/** The URL of an image on the network; null: none. */
export function safeImageUrl(written: string): string | null {
  return normalizeUrl(written, onNetwork);
}
