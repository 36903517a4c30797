/**
 * The limits of a search.
 */

/** Rust returns at most this many hits. */
export const maxSearchHits = 60;

/** How long a search waits for another letter, in ms. */
export const searchRestMs = 60;
