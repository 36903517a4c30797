//! Caches the counts of pieces and the merges of token pairs.

use super::hash_table::PackedString;

/// The counts of the last few thousand different pieces, and the latest decisions on token pairs. Texts
/// repeat themselves, so most lookups end here, in memory that fits the processor's cache. A slot holds the
/// latest entry with its hash.
pub(super) struct TokenCache {
    pieces: Vec<u128>,
    pairs: Vec<u64>,
    /// Runs of one character: their keys and numbers of tokens.
    runs: Vec<(u128, usize)>,
}

/// Bytes of the longest piece that is cached.
pub(super) const RECENT_LENGTH: usize = 15;
const PIECES: usize = 1 << 14;
const PAIRS: usize = 1 << 14;
const RUNS: usize = 1 << 10;
/// Bytes that may follow a run in its piece: line ends and slashes.
const TAIL: usize = 3;
const LENGTH_SHIFT: u32 = 120;
const COUNT_SHIFT: u32 = 124;
const KEY_MASK: u128 = (1 << COUNT_SHIFT) - 1;

/// A piece of at most 15 bytes with its length; four bits are left for its number of tokens.
#[derive(Clone, Copy)]
pub(super) struct PreTokenKey(u128);

impl PreTokenKey {
    #[inline]
    pub(super) fn new(text: &[u8], length: usize) -> Self {
        Self(u128::pack(text, length) | (length as u128) << LENGTH_SHIFT)
    }

    #[inline]
    fn place(self) -> usize {
        (self.0.spread() >> (64 - PIECES.trailing_zeros())) as usize
    }
}

/// A longer piece that repeats one byte, after any first byte and before a short tail.
#[derive(Clone, Copy)]
pub(super) struct RunKey(u128);

impl RunKey {
    /// The key of a piece; `None`: the piece is no run.
    #[inline]
    pub(super) fn new(piece: &[u8]) -> Option<Self> {
        let (first, rest) = piece.split_first()?;
        let byte = *rest.first()?;
        let run = rest.iter().take_while(|it| **it == byte).count();
        let tail = rest.get(run..).filter(|tail| tail.len() <= TAIL)?;
        let length = u64::try_from(run).ok()?;
        let head = [*first, byte, u8::try_from(tail.len()).ok()?];
        let bytes = head.into_iter().chain(tail.iter().copied());
        let named = bytes.fold(0_u64, |key, byte| key << 8 | u64::from(byte));
        Some(Self(u128::from(length) << 64 | u128::from(named)))
    }

    fn place(self) -> usize {
        (self.0.spread() >> (64 - RUNS.trailing_zeros())) as usize
    }
}

impl TokenCache {
    pub(super) fn new() -> Self {
        Self { pieces: vec![0; PIECES], pairs: vec![0; PAIRS], runs: vec![(0, 0); RUNS] }
    }

    /// The number of tokens of a run; `None`: not cached.
    pub(super) fn run(&self, key: RunKey) -> Option<usize> {
        let (known, tokens) = *self.runs.get(key.place())?;
        (known == key.0).then_some(tokens)
    }

    /// Caches the number of tokens of a run.
    pub(super) fn insert_run(&mut self, key: RunKey, tokens: usize) {
        if let Some(slot) = self.runs.get_mut(key.place()) {
            *slot = (key.0, tokens);
        }
    }

    #[inline]
    pub(super) fn get(&self, key: PreTokenKey) -> Option<usize> {
        let slot = *self.pieces.get(key.place())?;
        (slot & KEY_MASK == key.0).then_some((slot >> COUNT_SHIFT) as usize)
    }

    pub(super) fn insert(&mut self, key: PreTokenKey, tokens: usize) {
        if let Some(slot) = self.pieces.get_mut(key.place()) {
            *slot = key.0 | (tokens as u128) << COUNT_SHIFT;
        }
    }

    /// True if `left` and `right` stay separate tokens. Calls `decide` if the pair is not cached.
    #[inline]
    pub(super) fn are_unmerged(
        &mut self,
        left: u32,
        right: u32,
        decide: impl FnOnce() -> bool,
    ) -> bool {
        // The highest bit distinguishes a pair from an empty slot; the lowest bit is the result.
        let pair = 1 << 63 | u64::from(left) << 32 | u64::from(right) << 1;
        let place = (pair.spread() >> (64 - PAIRS.trailing_zeros())) as usize;
        let Some(slot) = self.pairs.get_mut(place) else { return decide() };
        if *slot & !1 != pair {
            *slot = pair | u64::from(decide());
        }
        *slot & 1 != 0
    }
}
