/**
 * Which addresses in a model's text may be offered: those that open a page or a letter. Everything
 * else (javascript:, data:, file:, relative paths) stays words.
 */

const onNetwork = new Set(['http:', 'https:']);
const openable = new Set([...onNetwork, 'mailto:']);

function normalizeUrl(written: string, schemes: ReadonlySet<string>): string | null {
  if (!URL.canParse(written)) return null;
  const url = new URL(written);
  return schemes.has(url.protocol) ? url.href : null;
}

/** The address in its normal form, or null if it is not one to open. */
export function safeLinkUrl(written: string): string | null {
  return normalizeUrl(written, openable);
}

/** The address of a picture on the network, or null if it is none. */
export function safeImageUrl(written: string): string | null {
  return normalizeUrl(written, onNetwork);
}
