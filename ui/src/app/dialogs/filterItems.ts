/**
 * Filters rows by a few letters: a row must contain every word, and rows that begin with them come
 * first. Pure.
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
  // The sort is stable: equal rows keep their order.
  return ranked.sort((one, other) => one.rank - other.rank).map(({ row }) => row);
}

const startsWord = (label: string, letters: string) =>
  label.split(/[\s/·:_-]+/).some((word) => word.startsWith(letters));
