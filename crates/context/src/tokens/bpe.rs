//! Counts the tokens of a piece of text.
//!
//! This is the exact backtracking algorithm of the `bpe` crate (GitHub, rust-gems): take the longest token;
//! keep it if merging would not divide the token before it; otherwise try a shorter one, or go back one
//! token. Positions that failed are not tried again, so that the cost is linear for every text. Most pieces
//! are one token, found by one lookup.

use super::cache::{PreTokenKey, RECENT_LENGTH, RunKey, TokenCache};
use super::vocabulary::Vocabulary;

/// Counts pieces one after the other, reusing its buffers.
pub(super) struct BpeCounter<'a> {
    vocabulary: &'a Vocabulary,
    recent: &'a mut TokenCache,
    tokens: Vec<u32>,
    failed: Vec<u64>,
}

impl<'a> BpeCounter<'a> {
    pub(super) fn new(vocabulary: &'a Vocabulary, recent: &'a mut TokenCache) -> Self {
        Self { vocabulary, recent, tokens: Vec::new(), failed: Vec::new() }
    }

    /// Tokens of the first `length` bytes of `text`.
    #[inline]
    pub(super) fn count(&mut self, text: &[u8], length: usize) -> usize {
        if length > RECENT_LENGTH {
            return self.count_long(text, length);
        }
        let key = PreTokenKey::new(text, length);
        self.recent.get(key).unwrap_or_else(|| {
            let tokens = self.count_afresh(text, length);
            self.recent.insert(key, tokens);
            tokens
        })
    }

    /// Lines of hyphens and the like are long, and there are few different ones.
    fn count_long(&mut self, text: &[u8], length: usize) -> usize {
        let Some(key) = text.get(..length).and_then(RunKey::new) else {
            return self.count_afresh(text, length);
        };
        self.recent.run(key).unwrap_or_else(|| {
            let tokens = self.count_afresh(text, length);
            self.recent.insert_run(key, tokens);
            tokens
        })
    }

    fn count_afresh(&mut self, text: &[u8], length: usize) -> usize {
        if self.vocabulary.has_short(text, length) {
            return 1;
        }
        self.count_merged(text.get(..length).unwrap_or(text))
    }

    fn count_merged(&mut self, piece: &[u8]) -> usize {
        self.tokens.clear();
        self.failed.clear();
        let vocabulary = self.vocabulary;
        let mut start = 0;
        let mut next = vocabulary.longest(piece);
        while let Some(mut token) = next {
            let last = self.tokens.last().copied();
            next = loop {
                let length = vocabulary.length(token);
                let end = start + length;
                if !self.has_failed(end)
                    && last.is_none_or(|last| self.may_follow(last, token, piece, start))
                {
                    self.tokens.push(token);
                    start = end;
                    let rest = piece.get(end..).unwrap_or_default();
                    break vocabulary.longest(rest);
                }
                match vocabulary.shorter(token) {
                    Some(shorter) => token = shorter,
                    None => {
                        self.fail(start, piece.len());
                        self.tokens.pop();
                        start -= last.map_or(0, |last| vocabulary.length(last));
                        break last;
                    }
                }
            };
        }
        self.tokens.len()
    }

    /// True if `token`, which begins at `start`, may follow `last`, which ends there.
    fn may_follow(&mut self, last: u32, token: u32, piece: &[u8], start: usize) -> bool {
        let vocabulary = self.vocabulary;
        let lengths = (vocabulary.length(last), vocabulary.length(token));
        !vocabulary.may_be_crossed(piece, start, lengths.0, lengths.1)
            || self.recent.are_unmerged(last, token, || vocabulary.are_unmerged(last, token))
    }

    fn has_failed(&self, at: usize) -> bool {
        self.failed.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 != 0)
    }

    fn fail(&mut self, at: usize, length: usize) {
        self.failed.resize(length / 64 + 1, 0);
        if let Some(word) = self.failed.get_mut(at / 64) {
            *word |= 1 << (at % 64);
        }
    }
}
