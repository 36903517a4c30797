/**
 * What a search can tell.
 */

/** Rust names so many hits at most. */
export const maxSearchHits = 60;
