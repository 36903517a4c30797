//! The character pairs that no merge crosses: two tokens that meet there need no further check. In scripts
//! with many letters most places are such.

use super::hash_table::BloomFilter;
use super::pretokenize::decode;

pub(super) struct MergeBoundaries {
    /// The last and the first character of the halves of every merge between whole characters.
    characters: BloomFilter,
    /// The last and the first byte of the halves of the few merges that divide a character on one side: one
    /// bit for every pair.
    bytes: Vec<u64>,
}

/// The number of bits of the filter, as a power of two: about one in twenty is set.
const FILTER_BITS: u32 = 20;

#[inline]
fn pair(left: u32, right: u32) -> u64 {
    u64::from(left) << 21 | u64::from(right)
}

#[inline]
fn byte_pair(left: u8, right: u8) -> (usize, u32) {
    let bit = usize::from(left) << 8 | usize::from(right);
    (bit >> 6, (bit & 63) as u32)
}

#[inline]
fn continues(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The character that ends at `end`, if it begins within the last `most` bytes.
#[inline]
fn before(text: &[u8], end: usize, most: usize) -> Option<u32> {
    (1..=most.min(4)).find_map(|length| {
        let start = end.checked_sub(length)?;
        let (character, whole) = decode(text, start);
        (!continues(*text.get(start)?) && whole == length).then_some(character)
    })
}

/// The character that begins at `start`, if it ends within `most` bytes.
#[inline]
fn after(text: &[u8], start: usize, most: usize) -> Option<u32> {
    let (character, length) = decode(text, start);
    (length <= most).then_some(character)
}

impl MergeBoundaries {
    pub(super) fn new() -> Self {
        Self { characters: BloomFilter::new(FILTER_BITS), bytes: vec![0; 1 << 10] }
    }

    /// Records that the first `left` bytes of `token` merge with the rest of it.
    pub(super) fn insert(&mut self, token: &[u8], left: usize) {
        let (Some(last), Some(first)) = (token.get(left.wrapping_sub(1)), token.get(left)) else {
            return;
        };
        if continues(*first) {
            return;
        }
        match (before(token, left, left), after(token, left, token.len() - left)) {
            (Some(last), Some(first)) => self.characters.insert(pair(last, first)),
            (Some(_) | None, _) => {
                let (word, bit) = byte_pair(*last, *first);
                if let Some(word) = self.bytes.get_mut(word) {
                    *word |= 1 << bit;
                }
            }
        }
    }

    /// True if a merge may cross position `at`, where a token of `left` bytes meets one of `right` bytes.
    /// False is certain: a merge across it would have halves that end and begin there, and these are
    /// recorded.
    #[inline]
    pub(super) fn may_be_crossed(&self, text: &[u8], at: usize, left: usize, right: usize) -> bool {
        let (Some(last), Some(first)) = (text.get(at.wrapping_sub(1)), text.get(at)) else {
            return true;
        };
        if continues(*first) {
            return true;
        }
        let (word, bit) = byte_pair(*last, *first);
        if self.bytes.get(word).is_none_or(|word| word >> bit & 1 != 0) {
            return true;
        }
        match (before(text, at, left), after(text, at, right)) {
            (Some(last), Some(first)) => self.characters.may_contain(pair(last, first)),
            (Some(_) | None, _) => true,
        }
    }
}
