/**
 * Decodes HTML entities, `&lt;` or `&#60;`. Only the names that models write.
 */
const names = new Map(
  Object.entries({
    amp: '&',
    apos: "'",
    bull: '•',
    copy: '©',
    darr: '↓',
    deg: '°',
    divide: '÷',
    ensp: '\u2002',
    emsp: '\u2003',
    euro: '€',
    ge: '≥',
    gt: '>',
    harr: '↔',
    hellip: '…',
    infin: '∞',
    laquo: '«',
    larr: '←',
    ldquo: '“',
    le: '≤',
    lsquo: '‘',
    lt: '<',
    mdash: '—',
    middot: '·',
    minus: '−',
    nbsp: '\u00a0',
    ndash: '–',
    ne: '≠',
    plusmn: '±',
    quot: '"',
    raquo: '»',
    rarr: '→',
    rdquo: '”',
    reg: '®',
    rsquo: '’',
    times: '×',
    trade: '™',
    uarr: '↑',
  }),
);

export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]{2,8}));/gi,
    (written, decimal, hex, name) => {
      if (typeof name === 'string') return names.get(name) ?? written;
      const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
      const visible = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
      return visible ? String.fromCodePoint(code) : written;
    },
  );
}
