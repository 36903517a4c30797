//! A byte-pair vocabulary for counting: which strings are tokens, the longest token at the start of a text,
//! and which pairs of tokens are not merged.

use std::ops::{Range, RangeInclusive};

use flate2::{Decompress, FlushDecompress};

use super::hash_table::{BloomFilter, IntegerTable, ShortStringSet};
use super::merge_boundaries::MergeBoundaries;
use super::trie::Trie;

pub(super) struct Vocabulary {
    /// The two halves that each token is merged from; a single byte is its own half.
    left_half: Vec<u32>,
    right_half: Vec<u32>,
    lengths: Vec<u8>,
    /// Two tokens → the token that they merge into.
    merges: IntegerTable,
    may_merge: BloomFilter,
    borders: MergeBoundaries,
    trie: Trie,
    /// The tokens of 1–4, 5–8 and 9–16 bytes.
    of_four: ShortStringSet<u32>,
    of_eight: ShortStringSet<u64>,
    of_sixteen: ShortStringSet<u128>,
}

const SINGLE_BYTES: usize = 256;
/// The number of bits of the filter of merges, as a power of two: for 200,000 merges one in twenty is set.
const FILTER_BITS: u32 = 22;

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 21 | u64::from(right)
}

/// The largest `.merges` file, unpacked, in bytes.
const MAX_UNPACKED_BYTES: usize = 2 << 20;

/// The contents of a `.merges` file, which zlib has packed: the bytes of the first 256 tokens, then the
/// numbers of the left halves of all further tokens, then those of their right halves.
struct MergesFile {
    bytes: Vec<u8>,
    ranges: Vec<Range<usize>>,
    halves: Vec<(u32, u32)>,
}

impl MergesFile {
    fn read(packed: &[u8]) -> Self {
        let file = unpacked(packed);
        let (single, rest) = file.split_at_checked(SINGLE_BYTES).unwrap_or((&file, &[]));
        let mut merges = Self {
            bytes: single.to_vec(),
            ranges: (0..single.len()).map(|at| at..at + 1).collect(),
            halves: (0..).zip(0..).take(single.len()).collect(),
        };
        let (lefts, rights) = rest.split_at(rest.len() / 2);
        for (left, right) in numbers(lefts).zip(numbers(rights)) {
            let start = merges.bytes.len();
            for half in [left, right] {
                let range = merges.ranges.get(half as usize).cloned().unwrap_or(0..0);
                merges.bytes.extend_from_within(range);
            }
            merges.ranges.push(start..merges.bytes.len());
            merges.halves.push((left, right));
        }
        merges
    }

    fn tokens(&self) -> impl Iterator<Item = &[u8]> + Clone {
        self.ranges.iter().map(|range| self.bytes.get(range.clone()).unwrap_or_default())
    }

    fn strings<W: super::hash_table::PackedString>(
        &self,
        length: RangeInclusive<usize>,
    ) -> ShortStringSet<W> {
        ShortStringSet::new(self.tokens().filter(|token| length.contains(&token.len())))
    }
}

fn unpacked(packed: &[u8]) -> Vec<u8> {
    let mut file = Vec::with_capacity(MAX_UNPACKED_BYTES);
    // The files are compiled in, so that this fails in a test or never.
    Decompress::new(true).decompress_vec(packed, &mut file, FlushDecompress::Finish).ok();
    file
}

/// Numbers of three bytes: the lowest bytes of all numbers, then the middle ones, then the highest. That
/// order packs best.
fn numbers(column: &[u8]) -> impl Iterator<Item = u32> {
    let (lowest, rest) = column.split_at(column.len() / 3);
    let (middle, highest) = rest.split_at(rest.len() / 2);
    let bytes = lowest.iter().zip(middle).zip(highest);
    bytes.map(|((low, middle), high)| u32::from_le_bytes([*low, *middle, *high, 0]))
}

impl Vocabulary {
    pub(super) fn load(file: &[u8]) -> Self {
        let read = MergesFile::read(file);
        let mut merges = IntegerTable::for_entries(read.halves.len());
        let lengths: Vec<u8> = read.tokens().map(|token| token.len() as u8).collect();
        let mut may_merge = BloomFilter::new(FILTER_BITS);
        let mut borders = MergeBoundaries::new();
        let made = (0..).zip(&read.halves).zip(read.tokens()).skip(SINGLE_BYTES);
        for ((token, (left, right)), bytes) in made {
            merges.insert(pair(*left, *right), token);
            may_merge.insert(pair(*left, *right));
            borders.insert(bytes, lengths.get(*left as usize).copied().map_or(0, usize::from));
        }
        Self {
            lengths,
            borders,
            of_four: read.strings(1..=4),
            of_eight: read.strings(5..=8),
            of_sixteen: read.strings(9..=16),
            left_half: read.halves.iter().map(|(left, _)| *left).collect(),
            right_half: read.halves.iter().map(|(_, right)| *right).collect(),
            trie: Trie::new(read.tokens()),
            merges,
            may_merge,
        }
    }

    /// True if the first `length` bytes of `text` are a token. False for strings too long for the quick
    /// check, and for those that end in zero.
    #[inline]
    pub(super) fn has_short(&self, text: &[u8], length: usize) -> bool {
        match length {
            // A string that ends in zeros looks like a padded shorter one.
            1..=16 if text.get(length - 1) == Some(&0) => false,
            1..=4 => self.of_four.contains(text, length),
            5..=8 => self.of_eight.contains(text, length),
            9..=16 => self.of_sixteen.contains(text, length),
            _ => false,
        }
    }

    /// The longest token at the start of `text`; `None` only for an empty text.
    #[inline]
    pub(super) fn longest(&self, text: &[u8]) -> Option<u32> {
        self.trie.longest(text)
    }

    /// The longest shorter token at the start of `token`.
    pub(super) fn shorter(&self, token: u32) -> Option<u32> {
        self.trie.shorter(token)
    }

    /// The length of a token in bytes.
    #[inline]
    pub(super) fn length(&self, token: u32) -> usize {
        self.lengths.get(token as usize).copied().map_or(1, usize::from)
    }

    /// True if merging would have preferred a token across the boundary of these two, before step `limit`.
    #[inline]
    fn would_merge(&self, left: u32, right: u32, limit: u32) -> bool {
        let pair = pair(left, right);
        self.may_merge.may_contain(pair)
            && self.merges.get(pair).is_some_and(|merged| merged < limit)
    }

    /// False if two tokens certainly stay separate: see [`MergeBoundaries::may_be_crossed`].
    #[inline]
    pub(super) fn may_be_crossed(&self, text: &[u8], at: usize, left: usize, right: usize) -> bool {
        self.borders.may_be_crossed(text, at, left, right)
    }

    /// True if the tokeniser never merges `left` with `right`. Undoes the merges of both from the last to the
    /// first: no step may prefer a token across the boundary.
    pub(super) fn are_unmerged(&self, mut left: u32, mut right: u32) -> bool {
        let mut limit = u32::MAX;
        loop {
            if self.would_merge(left, right, limit) {
                return false;
            }
            let inner_left = self.right_half.get(left as usize).copied().unwrap_or(left);
            let inner_right = self.left_half.get(right as usize).copied().unwrap_or(right);
            // The later merge is undone first; a single byte cannot be undone.
            if inner_right == right || left > right && inner_left != left {
                if inner_left == left {
                    return true;
                }
                limit = left;
                left = inner_left;
            } else {
                limit = right + 1;
                right = inner_right;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_next_shorter_token_is_the_longest_that_fits_all_but_the_last_byte() {
        let file = include_bytes!("../../data/o200k_base.merges");
        let vocabulary = Vocabulary::load(file);
        for (token, bytes) in (0..).zip(MergesFile::read(file).tokens()) {
            let shorter = bytes.split_last().and_then(|(_, shorter)| vocabulary.longest(shorter));
            assert_eq!(vocabulary.longest(bytes), Some(token), "{bytes:?}");
            assert_eq!(vocabulary.shorter(token), shorter, "{bytes:?}");
        }
    }

    #[test]
    fn where_no_merge_crosses_a_border_tokens_stand_together() {
        let file = include_bytes!("../../data/o200k_base.merges");
        let vocabulary = Vocabulary::load(file);
        let merges = MergesFile::read(file);
        let tokens: Vec<(u32, &[u8])> = (0..).zip(merges.tokens()).collect();
        let mut certain = 0;
        // Far apart and coprime steps: half a million pairs of unrelated tokens.
        let lefts = tokens.iter().cycle().step_by(7_919);
        let rights = tokens.iter().cycle().step_by(104_729);
        for ((left, before), (right, after)) in lefts.zip(rights).take(500_000) {
            let text = [*before, *after].concat();
            let lengths = (before.len(), after.len());
            if !vocabulary.may_be_crossed(&text, lengths.0, lengths.0, lengths.1) {
                assert!(vocabulary.are_unmerged(*left, *right), "{before:?} {after:?}");
                certain += 1;
            }
        }
        assert!(certain > 50_000, "{certain}: the look at the border spares nothing");
    }
}
