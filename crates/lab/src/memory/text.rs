//! Whether a text holds a value: word for word, and not as a part of another one.

use super::set::Fact;

/// Whether `value` stands in `text` by itself: "4417" does not stand in "44170", nor "1.2" in "1.2.3".
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

/// Whether one line says what a fact says: its value and what it is the value of.
pub fn stands(line: &str, fact: &Fact) -> bool {
    names(line, fact) && holds(line, &fact.value)
}

/// Whether a line names what a fact is about.
pub fn names(line: &str, fact: &Fact) -> bool {
    fact.subject.iter().all(|name| holds(line, name))
}

/// Whether a word or number that ends one text goes on in the next. Both are read away from where they meet,
/// but for the first, whose last letter counts.
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

/// Whether it is written without spaces between words: Han and kana.
fn is_unspaced(letter: char) -> bool {
    matches!(letter, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}')
}
