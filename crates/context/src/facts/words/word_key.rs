//! Words as numbers: hashes that are the same however a word is capitalised, and maps of them.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

use crate::hash::{EMPTY, mix};

/// True for Han and kana.
pub(crate) fn is_han(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}')
}

/// True for a letter of a script that writes words without spaces: Han, kana, Thai, Lao, Burmese, Khmer.
/// False for its digits.
pub(in crate::facts) fn is_unspaced(c: char) -> bool {
    let is_other =
        || matches!(c, '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}');
    is_han(c) || is_other() && !c.is_numeric()
}

/// A number for a word that is the same however it is capitalised.
pub(in crate::facts) fn fold_case(word: &str) -> u64 {
    if word.is_ascii() {
        return word.bytes().fold(EMPTY, |hash, byte| mix(hash, byte.to_ascii_lowercase()));
    }
    let mut buffer = [0; 4];
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(EMPTY, |hash, c| c.encode_utf8(&mut buffer).bytes().fold(hash, mix))
}

/// The same, without a plural's end.
pub(in crate::facts) fn stem(word: &str) -> u64 {
    let plural = word.len() > 3 && word.is_ascii() && word.ends_with(['s', 'S']);
    let end = if plural && !word.ends_with("ss") { word.len() - 1 } else { word.len() };
    fold_case(word.get(..end).unwrap_or(word))
}

/// A map whose keys are hashes already.
pub(in crate::facts) type HashKeyMap<V> = HashMap<u64, V, BuildHasherDefault<IdentityHasher>>;
/// A set of hashes.
pub(in crate::facts) type HashKeySet = HashSet<u64, BuildHasherDefault<IdentityHasher>>;

/// Hashes a hash by leaving it as it is.
#[derive(Default)]
pub(in crate::facts) struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, byte| mix(hash, *byte));
    }

    fn write_u64(&mut self, key: u64) {
        // The table uses the top bits too, which FNV moves least for short words.
        self.0 = key ^ key.rotate_left(32);
    }
}
