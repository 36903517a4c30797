//! Words by themselves, whatever they are part of: where they begin and end, their shape, what they tell.

pub(super) mod cue_words;
pub(super) mod tokenize;
pub(super) mod word_key;
pub(super) mod word_shape;
pub(super) mod word_stats;
