/**
 * Finds invisible characters: controls, bidirectional marks and ignorable code points. A text that the user
 * is asked to approve shows them as codes.
 */

/** Plain text; an invisible character by its code; or a run of empty lines. */
type TextSegment = { words: string } | { unseen: string } | { emptyLines: number };

/** An emoji sequence is joined by an invisible character, which stays as it is. */
const part = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}?\\uFE0F?';
const emoji = `${part}(?:\\u200D${part})*`;
/** Both kinds of line ends. */
const seen = '[\\n\\t]|\\r(?=\\n|$)';
const kinds = '\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\u2800';
/** Three or more empty lines: the user may believe that the text ends there. */
const empty = '(?:^|\\n)(?:[ \\t\\r]*\\n){3,}';
/** A run of spaces so long that the rest may be taken for another line, or is out of view. */
const blank = '[\\t\\p{Zs}]{80,}';
const invisiblePattern = new RegExp(
  `${emoji}|(?<empty>${empty})|(?<blank>${blank})|(?!${seen})(?<unseen>[${kinds}])\\k<unseen>*`,
  'gu',
);

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
    // Elsewhere the first line break ends the line before.
    return { emptyLines: first ? ends : ends - 1 };
  }
  const sign = unseen ?? (blank === undefined ? undefined : blank.slice(0, 1));
  if (sign === undefined) return null;
  const times = whole.length / sign.length;
  const number = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return { unseen: `⟨U+${number}${times === 1 ? '' : ` × ${times}`}⟩` };
}

/** A text on one line with visible codes: for names. */
export const escapeInvisible = (text: string): string =>
  splitInvisible(text)
    .map((piece) => ('words' in piece ? piece.words : 'unseen' in piece ? piece.unseen : '\n'))
    .join('');
