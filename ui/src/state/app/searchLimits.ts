/**
 * The limits of a search.
 */

/** Rust returns at most this many hits. */
export const maxSearchHits = 60;

/** Of letters that come faster than this, in ms, only the last is looked for. */
export const searchRestMs = 60;
