/**
 * Splits a text into chunks of at most `most` characters, after a space or line break if there is one.
 */
export function chunkText(text: string, most: number): string[] {
  const found: string[] = [];
  let rest = text;
  while (rest.length > most) {
    const end = lastBreak(rest.slice(0, most)) ?? characterBoundary(rest, most);
    found.push(rest.slice(0, end));
    rest = rest.slice(end);
  }
  found.push(rest);
  return found;
}

function lastBreak(text: string): number | undefined {
  const at = text.search(/[\s。！？，；、][^\s。！？，；、]*$/u);
  return at > 0 ? at + 1 : undefined;
}

/** The nearest end that splits no surrogate pair. */
function characterBoundary(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code < 0xdc00 ? end - 1 : end;
}
