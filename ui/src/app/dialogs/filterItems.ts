/**
 * Which rows a few letters mean: every word written must be in a row, and a row that begins with
 * them comes before one that merely holds them. Pure.
 */
type FilterableItem = { label: string; detail?: unknown; also?: string };

export function filterItems<Row extends FilterableItem>(
  query: string,
  rows: readonly Row[],
): readonly Row[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return rows;
  const ranked = rows.flatMap((row) => {
    const label = row.label.toLowerCase();
    const detail = typeof row.detail === 'string' ? row.detail : '';
    const all = `${label} ${detail} ${row.also ?? ''}`.toLowerCase();
    if (!words.every((word) => all.includes(word))) return [];
    const first = words[0] ?? '';
    const rank = label.startsWith(first) ? 0 : startsWord(label, first) ? 1 : 2;
    return [{ row, rank }];
  });
  // Stable: what stood first among equals still does.
  return ranked.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
}

const startsWord = (label: string, letters: string) =>
  label.split(/[\s/·:_-]+/).some((word) => word.startsWith(letters));
