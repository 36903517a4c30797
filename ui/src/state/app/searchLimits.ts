/**
 * The limits of a search.
 */

/** Rust returns at most this many hits. */
export const maxSearchHits = 60;
