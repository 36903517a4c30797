/**
 * What is in a text and is not seen: controls, signs that turn the order of what stands between them, and
 * those that are drawn as nothing. Where somebody is asked about a text, these are written out.
 */

/** As it is; a sign that would not be seen, by its number; or so many lines with nothing in them. */
type TextSegment = { words: string } | { unseen: string } | { emptyLines: number };

/** Its parts are joined by a sign that shows nothing, and is no secret. */
const part = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?';
const emoji = `${part}(?:\\u200D${part})*`;
/** Lines end in either way. */
const seen = '[\\n\\t]|\\r(?=\\n|$)';
const kinds = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800';
/** Three or more: behind so many a person may take the text to have ended. */
const empty = '(?:^|\\n)(?:[ \\t\\r]*\\n){3,}';
/** So long that what follows may be taken for another line, or stands where nobody looks. */
const blank = '[\\t\\p{Zs}]{80,}';
const invisiblePattern = new RegExp(
  `${emoji}|(?<empty>${empty})|(?<blank>${blank})|(?!${seen})(?<unseen>[${kinds}])\\k<unseen>*`,
  'gu',
);

/** A text in its pieces. */
export function splitInvisible(text: string): readonly TextSegment[] {
  const all: TextSegment[] = [];
  let from = 0;
  for (const { 0: whole, index, groups } of text.matchAll(invisiblePattern)) {
    const piece = toSegment(whole, groups ?? {}, index === 0);
    if (!piece) continue;
    if (index > from) all.push({ words: text.slice(from, index) });
    all.push(piece);
    from = index + whole.length;
  }
  if (from < text.length) all.push({ words: text.slice(from) });
  return all;
}

type MatchGroups = Readonly<Partial<Record<string, string>>>;

function toSegment(
  whole: string,
  { empty, blank, unseen }: MatchGroups,
  first: boolean,
): TextSegment | null {
  if (empty !== undefined) {
    const ends = whole.split('\n').length - 1;
    // Elsewhere the first of them ends the line before.
    return { emptyLines: first ? ends : ends - 1 };
  }
  const sign = unseen ?? (blank === undefined ? undefined : blank.slice(0, 1));
  if (sign === undefined) return null;
  const times = whole.length / sign.length;
  const number = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { unseen: `⟨U+${number}${times === 1 ? '' : ` × ${times}`}⟩` };
}

/** A text on one line, with all of it to be seen: for names, which are words alone. */
export const escapeInvisible = (text: string): string =>
  splitInvisible(text)
    .map((piece) => ('words' in piece ? piece.words : 'unseen' in piece ? piece.unseen : '\n'))
    .join('');
