//! Searches for a value in a text, word for word and not within a longer one.

use super::set::Fact;

/// True if `value` stands in `text` by itself: "4417" is not in "44170", nor "1.2" in "1.2.3".
pub fn holds(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, found)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + found.len()..).unwrap_or_default();
        let is_part_of_path = found.contains('/') && {
            let mut after = after.chars();
            after.next().is_some_and(|next| "/.-_".contains(next))
                && after.next().is_some_and(char::is_alphanumeric)
        };
        !is_part_of_path
            && !goes_on(found.chars(), after.chars())
            && !goes_on(found.chars().rev(), before.chars().rev())
    })
}

/// True if one line contains a fact: its value and its subject.
pub fn stands(line: &str, fact: &Fact) -> bool {
    names(line, fact) && holds(line, &fact.value)
}

/// True if a line contains the subject of a fact.
pub fn names(line: &str, fact: &Fact) -> bool {
    fact.subject.iter().all(|name| holds(line, name))
}

/// True if a word or number continues across the boundary between two texts. Both iterators lead
/// away from the boundary.
fn goes_on(value: impl Iterator<Item = char>, mut beyond: impl Iterator<Item = char>) -> bool {
    let (Some(last), Some(next)) = (value.last(), beyond.next()) else { return false };
    let has_spaces = |letter: char| letter.is_alphanumeric() && !is_unspaced(letter);
    let after = beyond.next();
    match next {
        '.' | ',' | ':' => last.is_ascii_digit() && after.is_some_and(|it| it.is_ascii_digit()),
        next if last.is_ascii_digit() && next.is_ascii_alphabetic() => false,
        next => has_spaces(last) && has_spaces(next),
    }
}

/// True for scripts without spaces between words: Han and kana.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
