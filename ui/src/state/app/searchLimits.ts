/**
 * What a search can tell.
 */

/** Rust names so many hits at most. */
export const maxSearchHits = 60;

/** Of letters that come faster than this, in ms, only the last is looked for. */
export const searchRestMs = 40;
