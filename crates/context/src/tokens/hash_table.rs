//! Open-addressed tables of integers for the few lookups that counting needs.
//!
//! They are filled while a vocabulary is loaded and nothing is removed, which makes them smaller and faster
//! than a general map.

/// Keys of up to 43 bits, each with a value of up to 21 bits, in one word.
pub(super) struct IntegerTable {
    slots: Vec<u64>,
    shift: u32,
    entries: usize,
}

const EMPTY: u64 = u64::MAX;
const VALUE_BITS: u32 = 21;
const VALUE_MASK: u64 = (1 << VALUE_BITS) - 1;
/// 2⁶⁴ divided by the golden ratio: spreads neighbouring keys.
const SPREAD: u64 = 0x9E37_79B9_7F4A_7C15;

impl IntegerTable {
    /// A table with room for about `entries`; it grows if there are more.
    pub(super) fn for_entries(entries: usize) -> Self {
        let slots = entries.next_power_of_two().max(4);
        Self { slots: vec![EMPTY; slots], shift: 64 - slots.trailing_zeros(), entries: 0 }
    }

    /// The slot of `key`, or the empty slot where it would be inserted.
    #[inline]
    fn slot(&self, key: u64) -> (usize, u64) {
        let mask = self.slots.len() - 1;
        let mut at = (key.wrapping_mul(SPREAD) >> self.shift) as usize;
        loop {
            let slot = self.slots.get(at).copied().unwrap_or(EMPTY);
            if slot == EMPTY || slot >> VALUE_BITS == key {
                return (at, slot);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<u32> {
        let (_, slot) = self.slot(key);
        (slot != EMPTY).then_some((slot & VALUE_MASK) as u32)
    }

    pub(super) fn insert(&mut self, key: u64, value: u32) {
        let (at, old) = self.slot(key);
        if let Some(slot) = self.slots.get_mut(at) {
            *slot = key << VALUE_BITS | u64::from(value);
        }
        self.entries += usize::from(old == EMPTY);
        if self.entries * 4 > self.slots.len() * 3 {
            self.grow();
        }
    }

    fn grow(&mut self) {
        let wider = Self::for_entries(self.slots.len() * 2);
        for slot in std::mem::replace(self, wider).slots {
            if slot != EMPTY {
                self.insert(slot >> VALUE_BITS, (slot & VALUE_MASK) as u32);
            }
        }
    }
}

/// Tells quickly which keys are not in a set, with a sixteenth of the set's memory.
pub(super) struct BloomFilter {
    slots: Vec<u64>,
    shift: u32,
}

impl BloomFilter {
    /// A filter of 2 to the power of `bits` bits, at least 64.
    pub(super) fn new(bits: u32) -> Self {
        Self { slots: vec![0; 1 << (bits - 6)], shift: 64 - bits }
    }

    #[inline]
    fn slot_of(&self, key: u64) -> (usize, u32) {
        let bit = key.wrapping_mul(SPREAD) >> self.shift;
        ((bit >> 6) as usize, (bit & 63) as u32)
    }

    #[inline]
    pub(super) fn may_contain(&self, key: u64) -> bool {
        let (word, bit) = self.slot_of(key);
        self.slots.get(word).is_some_and(|word| word >> bit & 1 != 0)
    }

    pub(super) fn insert(&mut self, key: u64) {
        let (word, bit) = self.slot_of(key);
        if let Some(word) = self.slots.get_mut(word) {
            *word |= 1 << bit;
        }
    }
}

/// A set of short strings, each packed into one word and padded with zeros.
pub(super) struct ShortStringSet<W> {
    slots: Vec<W>,
    shift: u32,
}

/// A word that holds the bytes of a short string. Zero is no string.
pub(super) trait PackedString: Copy + Eq + Default {
    /// Packs the first `length` bytes of `text`, which are at most the size of the word.
    fn pack(text: &[u8], length: usize) -> Self;
    fn spread(self) -> u64;
}

macro_rules! pack {
    ($text:ident, $length:ident) => {
        match $text.first_chunk() {
            Some(bytes) => {
                let unused = Self::BITS - ($length as u32) * 8;
                (Self::from_le_bytes(*bytes) << unused) >> unused
            }
            None => pack_slowly($text, $length) as Self,
        }
    };
}

impl PackedString for u32 {
    #[inline]
    fn pack(text: &[u8], length: usize) -> Self {
        pack!(text, length)
    }

    #[inline]
    fn spread(self) -> u64 {
        u64::from(self).wrapping_mul(SPREAD)
    }
}

impl PackedString for u64 {
    #[inline]
    fn pack(text: &[u8], length: usize) -> Self {
        pack!(text, length)
    }

    #[inline]
    fn spread(self) -> u64 {
        (self ^ self >> 29).wrapping_mul(SPREAD)
    }
}

impl PackedString for u128 {
    #[inline]
    fn pack(text: &[u8], length: usize) -> Self {
        pack!(text, length)
    }

    #[inline]
    fn spread(self) -> u64 {
        ((self >> 64) as u64 ^ (self as u64).wrapping_mul(SPREAD).rotate_left(32)).spread()
    }
}

/// Packs byte by byte near the end of a text, where no whole word can be loaded.
#[cold]
fn pack_slowly(text: &[u8], length: usize) -> u128 {
    text.iter().take(length).rev().fold(0, |word, byte| word << 8 | u128::from(*byte))
}

impl<W: PackedString> ShortStringSet<W> {
    pub(super) fn new<'a>(strings: impl Iterator<Item = &'a [u8]> + Clone) -> Self {
        // A string that ends in zeros would look like a shorter one.
        let strings = strings.filter(|string| string.last() != Some(&0));
        let slots = (strings.clone().count() * 5 / 4).next_power_of_two().max(4);
        let mut set = Self { slots: vec![W::default(); slots], shift: 64 - slots.trailing_zeros() };
        for string in strings {
            let word = W::pack(string, string.len());
            let (at, _) = set.slot(word);
            if let Some(slot) = set.slots.get_mut(at) {
                *slot = word;
            }
        }
        set
    }

    #[inline]
    fn slot(&self, word: W) -> (usize, bool) {
        let mask = self.slots.len() - 1;
        let mut at = (word.spread() >> self.shift) as usize;
        loop {
            let slot = self.slots.get(at).copied().unwrap_or_default();
            if slot == W::default() || slot == word {
                return (at, slot == word);
            }
            at = (at + 1) & mask;
        }
    }

    #[inline]
    pub(super) fn contains(&self, text: &[u8], length: usize) -> bool {
        self.slot(W::pack(text, length)).1
    }
}
