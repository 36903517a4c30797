//! Finds the longest token at the start of a text.
//!
//! A step of the trie is a whole character if the token has one, and a single byte if a token begins or ends
//! within a character. Chinese needs a third of the steps of a trie of bytes.

use super::hash_table::IntegerTable;
use super::pretokenize::decode;

/// A node of the trie. A node that ends a token has the number of that token.
type TrieNode = u32;

const ROOT: TrieNode = (1 << 20) - 1;
/// A flag of an edge: a token continues from its end node with a part of a character.
const SPLITS_CHARACTER: u32 = 1 << 20;
const NODE_MASK: u32 = SPLITS_CHARACTER - 1;
/// A byte that is no whole character has a number after the last code point.
const FIRST_BYTE_STEP: u32 = char::MAX as u32 + 1;

pub(super) struct Trie {
    edges: TrieEdges,
    /// The edges of the root by first character, copied from `edges`: most walks end early, and this part of
    /// memory is small.
    first: Vec<u32>,
    /// For each token the longest proper prefix that is a token itself; [`NONE`] for a single byte.
    prefixes: Vec<u32>,
    tokens: u32,
    root_splits: bool,
}

/// Characters that `first` knows: the Basic Multilingual Plane.
const FIRST: u32 = 1 << 16;
const NONE: u32 = u32::MAX;

/// The edges, divided by the range of their step in Unicode: a text in one script then uses a part of memory
/// that fits the processor's cache.
struct TrieEdges {
    ascii: IntegerTable,
    middle: IntegerTable,
    /// From the radicals of Chinese on, and single bytes.
    eastern: IntegerTable,
}

impl TrieEdges {
    fn new() -> Self {
        Self {
            ascii: IntegerTable::for_entries(1 << 17),
            middle: IntegerTable::for_entries(1 << 16),
            eastern: IntegerTable::for_entries(1 << 15),
        }
    }

    #[inline]
    fn get(&self, node: TrieNode, step: u32) -> Option<u32> {
        let table = match step {
            ..0x80 => &self.ascii,
            0x80..0x2E80 => &self.middle,
            0x2E80.. => &self.eastern,
        };
        table.get(key(node, step))
    }

    fn insert(&mut self, node: TrieNode, step: u32, edge: u32) {
        let table = match step {
            ..0x80 => &mut self.ascii,
            0x80..0x2E80 => &mut self.middle,
            0x2E80.. => &mut self.eastern,
        };
        table.insert(key(node, step), edge);
    }
}

#[inline]
fn key(node: TrieNode, step: u32) -> u64 {
    u64::from(node) << 21 | u64::from(step)
}

/// The step at `at`: a character, or a byte of a divided one.
#[inline]
fn child_after(text: &[u8], at: usize) -> Option<TrieStep> {
    let byte = *text.get(at)?;
    if byte < 0x80 {
        return Some(TrieStep { symbol: u32::from(byte), length: 1, lead: false });
    }
    let (code_point, length) = decode(text, at);
    if length == 1 || at + length > text.len() {
        let symbol = FIRST_BYTE_STEP + u32::from(byte);
        return Some(TrieStep { symbol, length: 1, lead: false });
    }
    Some(TrieStep { symbol: code_point, length, lead: true })
}

#[derive(Clone, Copy)]
struct TrieStep {
    symbol: u32,
    length: usize,
    /// The step is a character of several bytes, so a token may end inside it.
    lead: bool,
}

impl Trie {
    /// Builds the trie from the bytes of each token, by number.
    pub(super) fn new<'a>(tokens: impl Iterator<Item = &'a [u8]>) -> Self {
        let mut by_length: Vec<(u32, &[u8])> = (0..).zip(tokens).collect();
        // Sorted by length: a token comes before the longer tokens that begin with it.
        by_length.sort_by_key(|(_, token)| token.len());
        let count = by_length.len();
        let mut trie = Self {
            edges: TrieEdges::new(),
            first: Vec::new(),
            prefixes: vec![NONE; count],
            tokens: count as u32,
            root_splits: false,
        };
        let mut next_inner = trie.tokens;
        for (token, bytes) in by_length {
            trie.insert(token, bytes, &mut next_inner);
        }
        let first = |symbol| trie.edges.get(ROOT, symbol).unwrap_or(NONE);
        trie.first = (0..FIRST).map(first).collect();
        trie
    }

    /// Adds a token and finds the longest shorter token at its start. All shorter tokens are there already.
    fn insert(&mut self, token: u32, bytes: &[u8], next_inner: &mut TrieNode) {
        let shorter = bytes.split_last().map_or(&[][..], |(_, shorter)| shorter);
        let mut prefix = NONE;
        let mut node = ROOT;
        let mut from = None;
        let mut splits = self.root_splits;
        let mut at = 0;
        while let Some(step) = child_after(bytes, at) {
            if step.symbol >= FIRST_BYTE_STEP + 0xC0 {
                match from {
                    Some((before, step)) => {
                        self.edges.insert(before, step, node | SPLITS_CHARACTER)
                    }
                    None => self.root_splits = true,
                }
            }
            let ends_here = at + step.length == bytes.len();
            let known = self.edges.get(node, step.symbol);
            let passes_token =
                !ends_here && known.is_some_and(|child| child & NODE_MASK < self.tokens);
            if splits && step.lead && !passes_token {
                prefix = self.inside_character(shorter, node, at).unwrap_or(prefix);
            }
            let child = known.unwrap_or_else(|| {
                let child = if ends_here { token } else { *next_inner };
                *next_inner += u32::from(!ends_here);
                self.edges.insert(node, step.symbol, child);
                child
            });
            from = Some((node, step.symbol));
            node = child & NODE_MASK;
            splits = child & SPLITS_CHARACTER != 0;
            if passes_token {
                prefix = node;
            }
            at += step.length;
        }
        if let Some(slot) = self.prefixes.get_mut(token as usize) {
            *slot = prefix;
        }
    }

    /// The longest shorter token at the start of `token`.
    pub(super) fn shorter(&self, token: u32) -> Option<u32> {
        self.prefixes.get(token as usize).copied().filter(|prefix| *prefix != NONE)
    }

    /// The longest token at the start of `text`; `None` only for an empty text, because every byte is a
    /// token.
    #[inline]
    pub(super) fn longest(&self, text: &[u8]) -> Option<u32> {
        let mut best = None;
        let mut node = ROOT;
        let mut splits = self.root_splits;
        let mut at = 0;
        while let Some(step) = child_after(text, at) {
            let edge = match self.first.get(step.symbol as usize) {
                Some(edge) if at == 0 => (*edge != NONE).then_some(*edge),
                Some(_) | None => self.edges.get(node, step.symbol),
            };
            let child = edge.map(|edge| edge & NODE_MASK);
            let ends_token = child.is_some_and(|child| child < self.tokens);
            if splits && step.lead && !ends_token {
                best = self.inside_character(text, node, at).or(best);
            }
            let (Some(edge), Some(child)) = (edge, child) else { break };
            at += step.length;
            node = child;
            splits = edge & SPLITS_CHARACTER != 0;
            if ends_token {
                best = Some(child);
            }
        }
        best
    }

    /// The longest token that ends within the character at `at`.
    #[cold]
    fn inside_character(&self, text: &[u8], mut node: TrieNode, mut at: usize) -> Option<u32> {
        let mut best = None;
        while let Some(byte) = text.get(at) {
            let edge = self.edges.get(node, FIRST_BYTE_STEP + u32::from(*byte));
            let Some(child) = edge.map(|edge| edge & NODE_MASK) else { break };
            node = child;
            at += 1;
            if child < self.tokens {
                best = Some(child);
            }
        }
        best
    }
}
